import type { Handler } from 'hono'
import { decodeJson } from '../../datapoints/wire/wire.ts'
import type { IngestContext, IngestOptions } from '../../platform/datapoints/ingest/sent-batch.ts'
import { acting, type Actor } from '../../platform/access/grants/actor.ts'
import type { Domain } from '../../store/domains.ts'
import type { AppEnv } from '../app-env.ts'
import { BodyMemory } from '../requests/body-memory.ts'
import type { Hold } from '../requests/held-bytes.ts'
import type { Limits } from '../requests/limits.ts'
import { identifyBy } from '../middleware/require-bearer.ts'
import { readPieces, type BodyLimit } from '../requests/read-body.ts'
import { decodeBody } from '../requests/read-encoded-body.ts'
import { responseOf, type Reply } from '../requests/reply.ts'
import { batchReply } from './batch-answer.ts'
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
import { requireRestRight, type RestRoute, type RestServices } from './rest-route.ts'

/** POST /rest/v1/data-points/add (specification, section 4). */
export const ADD_DATAPOINTS: RestRoute = {
  operation: 'POST /rest/v1/data-points/add',
  right: 'datapoints:write',
  keepsWithin: true,
  operationId: 'addDatapoints',
  tag: 'Datapoints',
  summary: 'Store a batch of datapoints',
  description:
    'The answer comes when everything is durable. One wrong element rejects the whole batch. Four uuids and the timestamp identify a datapoint: a retry overwrites it, and newer values of it; with an Idempotency-Key the batch is stored once. A batch that got 503 replaces nothing that was acknowledged later.',
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
    201: answer('Everything is stored.', null, { ...SERVICE_CHANGE, ...OVERWRITTEN }),
    ...partlyStored({ ...SERVICE_CHANGE, ...OVERWRITTEN }),
    ...BATCH_PROBLEMS,
    ...KEY_CONFLICT,
  },
  handle: addDatapoints,
}

/** A batch that arrives, by whichever way its request came. */
export interface ArrivingBatch {
  readonly domain: Domain
  readonly traceId: string
  /** The sender, with the right of the route. */
  readonly caller: Actor
  header(name: 'authorization' | 'content-type' | 'content-encoding' | 'prefer' | 'idempotency-key'): string | undefined
  /** Reads the body as it was sent, and holds it. */
  read(limit: BodyLimit, hold: Hold): Promise<readonly Uint8Array[]>
}

function addDatapoints(services: RestServices): Handler<AppEnv> {
  const store = batchStore(services)
  return async (context) =>
    responseOf(
      await store({
        domain: context.get('domain'),
        traceId: context.get('traceId'),
        caller: context.get('caller'),
        header: (name) => context.req.header(name),
        read: (limit, hold) => readPieces(context, limit, hold),
      }),
    )
}

/** Stores batches, and says what to answer. */
export function batchStore(services: RestServices): (batch: ArrivingBatch) => Promise<Reply> {
  const { platform, limits, held } = services
  const memory = new BodyMemory()
  const limit = { bytes: limits.batchBytes, what: 'a batch of datapoints' }
  return async (batch) => {
    const decode = decoderOf(batch.header('content-type'))
    return held.batches.during(batch.caller, async (hold) => {
      const body = await decodeBody(batch, limit, hold, memory)
      const handling = handlingOf(batch.header('prefer'))
      const adding = platform().datapoints.ingest.add(
        senderOf(batch, services),
        () => decodeInTurns(decode, body, 'datapoints', limits),
        { ...handling, ...jsonOf(decode, body, limits), ...idempotency(batch.header('idempotency-key'), body) },
      )
      const result = await adding.finally(() => memory.giveBack(body))
      return batchReply(batch, result, {
        isLenient: handling.lenient === true,
        success: 201,
        what: ['datapoint', 'datapoints'],
      })
    })
  }
}

/** The sender as it is known now. Its version is compared when the batch is stored. */
function senderOf(batch: ArrivingBatch, services: RestServices): IngestContext {
  const { platform, bearers } = services
  const { domain, caller } = batch
  const actor = acting(caller, ADD_DATAPOINTS.right)
  const again = async (): Promise<IngestContext> => {
    const found = await identifyBy(batch.header('authorization'), domain, bearers.remember(platform().authenticate))
    requireRestRight(ADD_DATAPOINTS, found)
    return senderOf({ ...batch, caller: found }, services)
  }
  return {
    domainId: domain.id,
    actor: actor.account?.uuid ?? actor.name,
    systemUuid: actor.systemUuid,
    units: actor.units,
    access: { version: bearers.versionOf(caller), again },
  }
}

function jsonOf(decode: unknown, bytes: Uint8Array, { batchPoints }: Limits): Pick<IngestOptions, 'json'> {
  return decode === decodeJson ? { json: { bytes, most: batchPoints } } : {}
}
