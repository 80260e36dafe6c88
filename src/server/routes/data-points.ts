import type { Context, Hono } from 'hono'
import { decodeJson } from '../../datapoints/wire/wire.ts'
import type { IngestContext, IngestOptions } from '../../platform/datapoints/ingest.ts'
import type { AppEnv } from '../app-env.ts'
import { BodyMemory } from '../requests/body-memory.ts'
import type { Limits } from '../requests/limits.ts'
import { identify } from '../middleware/bearer.ts'
import type { Platform } from '../process/platform.ts'
import { readEncodedBody } from '../requests/read-encoded-body.ts'
import type { RememberedBearers } from '../remembered-bearers.ts'
import { answerBatch } from './batch-answer.ts'
import { decodeInTurns, decoderOf, handlingOf, idempotency } from './batch-request.ts'
import { actFor, requireRestRight, restRoute } from './rest-route.ts'

export interface DataPointRouteOptions {
  readonly platform: () => Platform
  readonly limits: Limits
  readonly bearers: RememberedBearers
}

const ADD = 'POST /rest/v1/data-points/add'

/** Specification, section 4; contract, section 4. */
export function dataPointRoutes(app: Hono<AppEnv>, options: DataPointRouteOptions): void {
  const { platform, limits } = options
  const memory = new BodyMemory()
  const limit = { bytes: limits.batchBytes, what: 'a batch of datapoints' }
  restRoute(app, ADD, async (context) => {
    const decode = decoderOf(context.req.header('content-type'))
    const body = await readEncodedBody(context, limit, memory)
    const handling = handlingOf(context)
    const adding = platform().datapoints.ingest.add(
      senderOf(context, options),
      () => decodeInTurns(decode, body, 'datapoints', limits),
      { ...handling, ...jsonOf(decode, body, limits), ...idempotency(context, body) },
    )
    const result = await adding.finally(() => memory.giveBack(body))
    return answerBatch(context, result, {
      isLenient: handling.lenient === true,
      success: 201,
      what: ['datapoint', 'datapoints'],
    })
  })
}

/** As far as it is known now; what is stored is compared with what is known when it is. */
function senderOf(context: Context<AppEnv>, options: DataPointRouteOptions): IngestContext {
  const { platform, bearers } = options
  const actor = context.get('actor')
  const again = async (): Promise<IngestContext> => {
    const found = await identify(context, bearers.remember(platform().authenticate))
    requireRestRight(ADD, found)
    actFor(context, ADD, found)
    return senderOf(context, options)
  }
  return {
    domainId: context.get('domain').id,
    actor: actor.account?.uuid ?? actor.name,
    systemUuid: actor.systemUuid,
    units: actor.units,
    access: { version: bearers.versionOf(context.get('caller')), again },
  }
}

function jsonOf(decode: unknown, bytes: Uint8Array, { batchPoints }: Limits): Pick<IngestOptions, 'json'> {
  return decode === decodeJson ? { json: { bytes, most: batchPoints } } : {}
}
