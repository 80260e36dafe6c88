import type { Handler } from 'hono'
import { counted } from '../../lib/counted.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { jsonPieces } from '../../lib/json-pieces.ts'
import { accountOf, type Actor } from '../../platform/access/grants/actor.ts'
import { AnswerBudget } from '../../platform/answer-budget.ts'
import { PendingWatch } from '../../platform/setpoints/pending-watch.ts'
import { SETPOINT } from '../../records/entities.ts'
import { targetOfDevice, waitForPending } from '../../platform/setpoints/take-pending.ts'
import { SharedSlots } from '../../platform/shared-slots.ts'
import type { AppEnv } from '../app-env.ts'
import { gauge } from '../metrics/exposition.ts'
import { answer, json, READ_PROBLEMS } from '../openapi/responses.ts'
import { ref } from '../openapi/schemas.ts'
import { restView } from '../rest-entity.ts'
import { acceptedType } from '../requests/accepted-type.ts'
import type { Limits } from '../requests/limits.ts'
import { writeAnswer } from '../written-answer.ts'
import { JSON_TYPE, MESSAGE_PACK_TYPES } from './batch-request.ts'
import { contextFor, requireStill, type RestRoute, type RestServices } from './rest-route.ts'
import { parsePendingQuery, PENDING_PARAMETERS } from './set-points-query.ts'

/** A long poll: if the request may wait, it is answered as soon as there is a setpoint. */
export const TAKE_SETPOINTS: RestRoute = {
  operation: 'GET /rest/v1/set-points/pending',
  right: 'datapoints:write',
  keepsWithin: true,
  operationId: 'takeSetpoints',
  tag: 'Setpoints',
  summary: 'Pending setpoints of a device',
  description:
    'Returned setpoints are SENT, and are returned again until the device answers. With `wait`, the answer comes as soon as there is a setpoint.',
  parameters: PENDING_PARAMETERS,
  responses: {
    200: answer('In the order in which they were set; empty if the wait times out.', {
      ...json(ref('PendingSetpoints')),
      ...Object.fromEntries(MESSAGE_PACK_TYPES.map((type) => [type, { schema: ref('PendingSetpoints') }])),
    }),
    404: READ_PROBLEMS[404],
    406: READ_PROBLEMS[406],
  },
  handle: takePending,
}

function takePending({ platform, lifecycle, limits, metrics }: RestServices): Handler<AppEnv> {
  let watch: PendingWatch | undefined
  const slots = new SharedSlots({ most: limits.waitingPolls, mostOfAccount: limits.waitingPollsOfAccount })
  metrics?.add(() => [gauge('holdfast_waiting_polls', 'Requests that wait for setpoints.', slots.taken)])
  return async (context) => {
    const type = acceptedType(context.req.header('accept'), [JSON_TYPE, ...MESSAGE_PACK_TYPES])
    const { components, waitSeconds, isPreferred } = parsePendingQuery(
      new URL(context.req.url).searchParams,
      context.req.header('prefer'),
    )
    const { database, changes, authenticate } = platform()
    watch ??= new PendingWatch({ database, changes, isEnding: () => lifecycle.state === 'draining' })
    const access = contextFor(platform(), context)
    const target = await targetOfDevice(access, context.get('actor'), components)
    // HEAD must not change anything (RFC 9110, section 9.2.1), so no setpoint becomes SENT.
    if (context.req.method === 'HEAD') return new Response(null, { headers: { 'content-type': type } })
    const leave = waitSeconds > 0 ? slotToWait(slots, context.get('actor'), limits) : undefined
    const found = await waitForPending(access, target, {
      watch,
      ms: waitSeconds * 1_000,
      left: context.req.raw.signal,
      checkAgain: () => requireStill(context, TAKE_SETPOINTS, authenticate),
    }).finally(() => leave?.())
    const applied = isPreferred ? { 'preference-applied': `wait=${waitSeconds}` } : {}
    const views = found.map((setpoint) => restView(SETPOINT, setpoint))
    const body = await encoded(views, type)
    return new Response(body, { headers: { 'content-type': type, 'content-length': String(body.length), ...applied } })
  }
}

/** Takes a slot for a waiting request, and returns the function that releases it. */
function slotToWait(slots: SharedSlots, actor: Actor, limits: Limits): () => void {
  const account = accountOf(actor)
  const lacking = slots.lacking(account)
  if (lacking === null) return slots.take(account)
  const limit = lacking === 'all' ? 'waitingPolls' : 'waitingPollsOfAccount'
  const whose = lacking === 'all' ? '' : ` of ${actor.name}`
  throw new HoldfastError(
    'UNAVAILABLE',
    `${counted(limits[limit], 'request')}${whose} wait for setpoints here, which is the maximum (${limit}); try again in a moment, or without waiting`,
  )
}

async function encoded(elements: readonly object[], type: string): Promise<Uint8Array<ArrayBuffer>> {
  // The number of setpoints is already limited, and a device could not continue if a long answer was rejected.
  if (type === JSON_TYPE) return writeAnswer(jsonPieces(elements), new AnswerBudget(Infinity))
  // Few devices use MessagePack, so it is not loaded at the start.
  const { encode } = await import('@msgpack/msgpack')
  return encode(elements)
}
