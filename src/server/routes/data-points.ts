import type { Hono } from 'hono'
import { decodeJson } from '../../datapoints/wire.ts'
import type { IngestOptions } from '../../platform/datapoints/ingest.ts'
import type { AppEnv } from '../app-env.ts'
import { BodyMemory } from '../body-memory.ts'
import type { Limits } from '../limits.ts'
import type { Platform } from '../platform.ts'
import { readEncodedBody } from '../read-encoded-body.ts'
import { answerBatch } from './batch-answer.ts'
import { checkCount, decoderOf, handlingOf, idempotency } from './batch-request.ts'
import { restRoute } from './rest-route.ts'

export interface DataPointRouteOptions {
  readonly platform: () => Platform
  readonly limits: Limits
}

/** Specification, section 4; contract, section 4. */
export function dataPointRoutes(app: Hono<AppEnv>, { platform, limits }: DataPointRouteOptions): void {
  const memory = new BodyMemory()
  const limit = { bytes: limits.batchBytes, what: 'a batch of datapoints' }
  restRoute(app, 'POST /rest/v1/data-points/add', async (context) => {
    const decode = decoderOf(context.req.header('content-type'))
    const body = await readEncodedBody(context, limit, memory)
    const handling = handlingOf(context)
    const { name, account, systemUuid } = context.get('actor')
    const adding = platform().datapoints.ingest.add(
      { domainId: context.get('domain').id, actor: account?.uuid ?? name, systemUuid },
      () => checkCount(decode(body, 'datapoints'), limits.batchPoints, 'datapoints'),
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

function jsonOf(decode: unknown, bytes: Uint8Array, { batchPoints }: Limits): Pick<IngestOptions, 'json'> {
  return decode === decodeJson ? { json: { bytes, most: batchPoints } } : {}
}
