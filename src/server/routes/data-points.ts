import type { Context, Handler } from 'hono'
import { decodeJson } from '../../datapoints/wire/wire.ts'
import type { IngestContext, IngestOptions } from '../../platform/datapoints/ingest.ts'
import type { AppEnv } from '../app-env.ts'
import { BodyMemory } from '../requests/body-memory.ts'
import type { Limits } from '../requests/limits.ts'
import { identify } from '../middleware/require-bearer.ts'
import { readEncodedBody } from '../requests/read-encoded-body.ts'
import { answerBatch } from './batch-answer.ts'
import {
  batchOf,
  CONTENT_ENCODING,
  decodeInTurns,
  decoderOf,
  handlingOf,
  IDEMPOTENCY_KEY,
  idempotency,
  POINT_EXAMPLE,
  PREFER_HANDLING,
} from './batch-request.ts'
import {
  answer,
  BATCH_PROBLEMS,
  KEY_CONFLICT,
  OVERWRITTEN,
  partlyStored,
  SERVICE_CHANGE,
} from '../openapi/responses.ts'
import { actFor, requireRestRight, type RestRoute, type RestServices } from './rest-route.ts'

/** POST /rest/v1/data-points/add (specification, section 4; contract, section 4). */
export const ADD_DATAPOINTS: RestRoute = {
  operation: 'POST /rest/v1/data-points/add',
  right: 'datapoints:write',
  keepsWithin: true,
  operationId: 'addDatapoints',
  tag: 'Datapoints',
  summary: 'Store a batch of datapoints',
  description:
    'Answered when all of it is durable. One wrong element, and nothing is stored. A datapoint is named by its four uuids and its timestamp: sent again it overwrites itself, so every batch may be sent again.',
  parameters: [PREFER_HANDLING, IDEMPOTENCY_KEY, CONTENT_ENCODING],
  requestBody: batchOf('Datapoints', {
    one: { summary: 'Measured now', value: [POINT_EXAMPLE] },
    several: {
      summary: 'Measured before',
      value: [
        { ...POINT_EXAMPLE, timestamp: '2026-01-31T06:30:00.250Z' },
        { ...POINT_EXAMPLE, value: 21.75, timestamp: 1_769_841_060_000 },
      ],
    },
  }),
  responses: {
    201: answer('All of it is stored.', null, { ...SERVICE_CHANGE, ...OVERWRITTEN }),
    ...partlyStored({ ...SERVICE_CHANGE, ...OVERWRITTEN }),
    ...BATCH_PROBLEMS,
    ...KEY_CONFLICT,
  },
  handle: addDatapoints,
}

function addDatapoints(services: RestServices): Handler<AppEnv> {
  const { platform, limits } = services
  const memory = new BodyMemory()
  const limit = { bytes: limits.batchBytes, what: 'a batch of datapoints' }
  return async (context) => {
    const decode = decoderOf(context.req.header('content-type'))
    const body = await readEncodedBody(context, limit, memory)
    const handling = handlingOf(context)
    const adding = platform().datapoints.ingest.add(
      senderOf(context, services),
      () => decodeInTurns(decode, body, 'datapoints', limits),
      { ...handling, ...jsonOf(decode, body, limits), ...idempotency(context, body) },
    )
    const result = await adding.finally(() => memory.giveBack(body))
    return answerBatch(context, result, {
      isLenient: handling.lenient === true,
      success: 201,
      what: ['datapoint', 'datapoints'],
    })
  }
}

/** The sender as it is known now. Its version is compared when the batch is stored. */
function senderOf(context: Context<AppEnv>, services: RestServices): IngestContext {
  const { platform, bearers } = services
  const actor = context.get('actor')
  const again = async (): Promise<IngestContext> => {
    const found = await identify(context, bearers.remember(platform().authenticate))
    requireRestRight(ADD_DATAPOINTS, found)
    actFor(context, ADD_DATAPOINTS, found)
    return senderOf(context, services)
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
