import type { Context, Hono } from 'hono'
import { REST_RIGHTS } from '../../auth/rest-rights.ts'
import { counted } from '../../lib/counted.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { accountOf, acting, hasSameReach, type Actor } from '../../platform/access/grants/actor.ts'
import { SharedPlaces } from '../../platform/shared-places.ts'
import { addSetpoints } from '../../platform/setpoints/add-setpoints.ts'
import { answerSetpoints } from '../../platform/setpoints/answer-setpoints.ts'
import { PendingWatch } from '../../platform/setpoints/pending-watch.ts'
import type { Setpoint } from '../../platform/setpoints/setpoint.ts'
import { placeOfDevice } from '../../platform/setpoints/take-pending.ts'
import { waitForPending } from '../../platform/setpoints/wait-for-pending.ts'
import { contextOf, domainContext } from '../access-context.ts'
import { acceptedType } from '../requests/accepted-type.ts'
import type { AppEnv } from '../app-env.ts'
import type { Lifecycle } from '../process/lifecycle.ts'
import type { Limits } from '../requests/limits.ts'
import { gauge } from '../metrics/gauge.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { identify } from '../middleware/bearer.ts'
import type { Platform } from '../process/platform.ts'
import { answerBatch } from './batch-answer.ts'
import { idempotency, JSON_TYPE, MESSAGE_PACK_TYPES, readBatch } from './batch-request.ts'
import { actAfterBody, requireRestRight, restRoute } from './rest-route.ts'
import { parsePendingQuery } from './set-points-query.ts'

export interface SetPointRouteOptions {
  readonly platform: () => Platform
  readonly lifecycle: Lifecycle
  readonly limits: Limits
  readonly metrics?: Metrics | undefined
}

const ADD = 'POST /rest/v1/set-points/add'
const ACKNOWLEDGE = 'POST /rest/v1/set-points/acknowledge'

/** Contract, section 4; docs/decisions/0013. */
export function setPointRoutes(app: Hono<AppEnv>, options: SetPointRouteOptions): void {
  const { platform, limits } = options
  restRoute(app, ADD, async (context) => {
    const { body, elements, lenient } = await readBatch(context, limits, 'setpoints')
    await actAfterBody(context, ADD, platform().authenticate)
    const access = contextFor(platform(), context)
    const result = await addSetpoints(access, context.get('actor'), elements, {
      lenient,
      ...idempotency(context, body),
    })
    return answerBatch(context, result, { isLenient: lenient, success: 201, what: ['setpoint', 'setpoints'] })
  })
  restRoute(app, ACKNOWLEDGE, async (context) => {
    const { elements, lenient } = await readBatch(context, limits, 'answers')
    await actAfterBody(context, ACKNOWLEDGE, platform().authenticate)
    const result = await answerSetpoints(contextFor(platform(), context), context.get('actor'), elements, {
      lenient,
    })
    return answerBatch(context, result, { isLenient: lenient, success: 204, what: ['answer', 'answers'] })
  })
  pendingRoute(app, options)
}

const PENDING = 'GET /rest/v1/set-points/pending'

/** Long poll: with `wait`, or a preference to wait, it is answered as soon as there is something. */
function pendingRoute(app: Hono<AppEnv>, { platform, lifecycle, limits, metrics }: SetPointRouteOptions): void {
  let watch: PendingWatch | undefined
  const places = new SharedPlaces({ most: limits.waitingPolls, mostOfAccount: limits.waitingPollsOfAccount })
  metrics?.add(() => [gauge('holdfast_waiting_polls', 'Requests that wait for setpoints.', places.taken)])
  restRoute(app, PENDING, async (context) => {
    const type = acceptedType(context.req.header('accept'), [JSON_TYPE, ...MESSAGE_PACK_TYPES])
    const { components, waitSeconds, isPreferred } = parsePendingQuery(
      new URL(context.req.url).searchParams,
      context.req.header('prefer'),
    )
    const { database, changes, authenticate } = platform()
    watch ??= new PendingWatch({ database, changes, isEnding: () => lifecycle.state === 'draining' })
    const access = contextFor(platform(), context)
    const place = await placeOfDevice(access, context.get('actor'), components)
    // A safe method (RFC 9110, section 9.2.1): what nobody reads was not sent.
    if (context.req.method === 'HEAD') return new Response(null, { headers: { 'content-type': type } })
    const leave = waitSeconds > 0 ? placeToWait(places, context.get('actor'), limits) : undefined
    const found = await waitForPending(access, place, {
      watch,
      ms: waitSeconds * 1_000,
      left: context.req.raw.signal,
      checkAgain: async () => requireSameReach(context.get('actor'), await identify(context, authenticate)),
    }).finally(() => leave?.())
    const applied = isPreferred ? { 'preference-applied': `wait=${waitSeconds}` } : {}
    return new Response(await encoded(found.map(toElement), type), { headers: { 'content-type': type, ...applied } })
  })
}

function contextFor(platform: Platform, context: Context<AppEnv>) {
  const actor = context.get('actor')
  return contextOf(domainContext(platform, context.get('domain'), actor), actor)
}

/** What may be asked about was settled when the question came. */
function requireSameReach(before: Actor, now: Actor): void {
  requireRestRight(PENDING, now)
  if (hasSameReach(before, acting(now, REST_RIGHTS[PENDING]))) return
  throw new HoldfastError('FORBIDDEN', 'this account may touch the data of other systems now; ask again')
}

/** Gives what to call when the place is free again. */
function placeToWait(places: SharedPlaces, actor: Actor, limits: Limits): () => void {
  const account = accountOf(actor)
  const lacking = places.lacking(account)
  if (lacking === null) return places.take(account)
  const limit = lacking === 'all' ? 'waitingPolls' : 'waitingPollsOfAccount'
  const whose = lacking === 'all' ? '' : ` of ${actor.name}`
  throw new HoldfastError(
    'UNAVAILABLE',
    `${counted(limits[limit], 'request')}${whose} wait for setpoints here, which is the most at once (${limit}); try again in a moment, or without waiting`,
  )
}

/** In the words in which datapoints are sent. */
function toElement(setpoint: Setpoint) {
  return {
    uuid: setpoint.uuid,
    system_uuid: setpoint.systemUuid,
    component_uuid: setpoint.componentUuid,
    service_uuid: setpoint.serviceUuid,
    characteristic_uuid: setpoint.characteristicUuid,
    value: setpoint.value,
    created_at: setpoint.createdAt.toISOString(),
    expires_at: setpoint.expiresAt?.toISOString() ?? null,
  }
}

async function encoded(elements: readonly object[], type: string): Promise<BodyInit> {
  if (type === JSON_TYPE) return JSON.stringify(elements)
  // Devices that speak it are few, and no server needs it to start.
  const { encode } = await import('@msgpack/msgpack')
  return encode(elements)
}
