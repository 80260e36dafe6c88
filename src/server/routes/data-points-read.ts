import type { Context, Handler } from 'hono'
import { ReadableStream } from 'node:stream/web'
import type { Sql } from '../../db/sql.ts'
import { keysOf } from '../../lib/entries.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { toSnake } from '../../lib/letter-case.ts'
import type { JsonObject } from '../../lib/json.ts'
import { accountOf } from '../../platform/access/grants/actor.ts'
import { requireRightsStill } from '../../platform/change-domain.ts'
import { withPoints } from '../../platform/datapoints/export/export-points.ts'
import { lookUpAll, type SeriesName } from '../../platform/datapoints/reading/series/find-series.ts'
import { referenceOf, type ReadableSeries } from '../../platform/datapoints/reading/series/readable-series.ts'
import { ofDataType, ofPresentType } from '../../platform/datapoints/reading/series/typed-series.ts'
import { readDatapoints } from '../../platform/datapoints/reading/read-datapoints.ts'
import { readingQuery } from '../../platform/datapoints/reading/reading-query.ts'
import { requireStored } from '../../platform/datapoints/reading/require-stored.ts'
import { requireExistingSystems } from '../../platform/systems/entity-references.ts'
import { readDomain } from '../../store/domains.ts'
import { acceptedType } from '../requests/accepted-type.ts'
import { accessContext, contextOf } from '../request-context.ts'
import type { AppEnv } from '../app-env.ts'
import { HttpError } from '../requests/error-response.ts'
import { errorFields, type Logger } from '../logger.ts'
import { dataPointsFile, FILE_NAMES, mediaType, type FileType } from './data-points-file.ts'
import { parseDataPointsQuery, READ_PARAMETERS, type DataPointsQuery } from './data-points-query.ts'
import { readingPieces } from './data-points-text.ts'
import { answer, json, READ_PROBLEMS } from '../openapi/responses.ts'
import { ref } from '../openapi/schemas.ts'
import { writeAnswer } from '../written-answer.ts'
import { contextFor, type RestRoute, type RestServices } from './rest-route.ts'

const JSON_TYPE = 'application/json'
const FILE_TYPES = keysOf(FILE_NAMES)

/** The interval at which the token is checked while a client reads a file. */
const CHECK_EVERY_MS = 1_000

const FILE_SCHEMAS: JsonObject = Object.fromEntries(
  Object.keys(FILE_NAMES).map((type) => [type, { schema: type.endsWith('parquet') ? {} : { type: 'string' } }]),
)

/** Returns one series as JSON, or a file with any number of series, depending on the Accept header. */
export const READ_DATAPOINTS: RestRoute = {
  operation: 'GET /rest/v1/data-points',
  right: 'data:read',
  keepsWithin: true,
  operationId: 'readDatapoints',
  tag: 'Datapoints',
  summary: 'Read datapoints',
  description:
    'JSON of one series: a page, a curve or buckets. CSV, NDJSON and Apache Parquet of any number of series: all points of a range, or buckets. Too large requests are refused, never truncated.',
  parameters: READ_PARAMETERS,
  responses: {
    200: answer(
      'The requested data.',
      { ...json(ref('Reading')), ...FILE_SCHEMAS },
      {
        'Content-Disposition': { description: 'The name of the file.', schema: { type: 'string' } },
      },
    ),
    ...READ_PROBLEMS,
    413: { $ref: '#/components/responses/TooLarge' },
  },
  handle: readDataPoints,
}

function readDataPoints({ platform, logger }: RestServices): Handler<AppEnv> {
  return async (context) => {
    const type = acceptedType<typeof JSON_TYPE | FileType>(context.req.header('accept'), [JSON_TYPE, ...FILE_TYPES])
    const query = parseDataPointsQuery(new URL(context.req.url).searchParams)
    const access = contextOf(accessContext(platform(), context.get('domain')), context.get('actor'))
    await requireWritten(context, access)
    if (type === JSON_TYPE) return answerJson(context, access, query)
    const actor = context.get('actor')
    const file = dataPointsFile(type, query, access.now())
    const disposition = `attachment; filename="${FILE_NAMES[type]}"`
    const headers = { 'content-type': mediaType(type), 'content-disposition': disposition }
    const find = async (sql: Sql) => {
      const all = await lookUpAll(sql, access, actor, query.filter)
      // The result is also empty if an existing system has no points yet.
      if (all.length === 0) await requireExistingSystems(sql, access.domain.id, actor, query.filter.systems ?? [])
      const found = withPoints(meantOf(all, query))
      return { found, series: found.map(referenceOf) }
    }
    // Nobody would read the file.
    if (context.req.method === 'HEAD') {
      file.check((await readDomain(access.database, access.domain.id, find)).found)
      return new Response(null, { headers })
    }
    const asked = { domainId: access.domain.id, account: accountOf(actor), units: actor.units, find, to: file.to }
    const { signal: left } = context.req.raw
    const begun = contextFor(platform(), context)
    const checkAgain = () => requireRightsStill(begun)
    const pieces = await started(platform().datapoints.exports.open(asked, file.write), left, checkAgain)
    const stream = ReadableStream.from(logged(pieces, context, logger))
    return new Response(stream as ConstructorParameters<typeof Response>[0], { headers })
  }
}

/**
 * Returns the series for the answer. The figures of a bucket need the present type. Points may also have the types with
 * which they were stored.
 */
function meantOf(found: readonly ReadableSeries[], { dataType, reading }: DataPointsQuery): readonly ReadableSeries[] {
  return dataType === undefined && reading.interval != null ? ofPresentType(found) : ofDataType(found, dataType)
}

type Access = ReturnType<typeof accessContext>

/**
 * Makes sure that the answer contains the writes named by the header X-Service-Change, and rejects the request if it
 * cannot.
 */
async function requireWritten(context: Context<AppEnv>, access: Access): Promise<void> {
  const given = context.req.header('x-service-change')
  if (given === undefined) return
  try {
    await requireStored(access, given)
  } catch (error) {
    if (!(error instanceof HoldfastError) || error.code !== 'CONFLICT') throw error
    throw new HttpError('CONFLICT', 412, 'Precondition failed', error.message)
  }
}

async function answerJson(
  context: Context<AppEnv>,
  access: Access,
  { filter, reading, dataType, guardFormulas }: DataPointsQuery,
): Promise<Response> {
  if (guardFormulas) throw new HoldfastError('BAD_USER_INPUT', 'guard_formulas is for text/csv')
  const now = access.now()
  const query = readingQuery(reading, now, toSnake)
  const name = { ...oneSeries(filter), dataType }
  const { series, reading: found } = await readDatapoints(access, context.get('actor'), name, query, now)
  const body = await writeAnswer(readingPieces(series, found))
  return context.body(body, 200, { 'content-type': JSON_TYPE, 'content-length': String(body.length) })
}

function oneSeries({ systems, components, services, characteristics }: DataPointsQuery['filter']): SeriesName {
  const [component, service, characteristic] = [components, services, characteristics].map((given) =>
    given?.length === 1 ? given[0] : undefined,
  )
  if (systems === undefined && component !== undefined && service !== undefined && characteristic !== undefined)
    return { component, service, characteristic }
  const files = FILE_TYPES.join(', ')
  throw new HoldfastError(
    'BAD_USER_INPUT',
    `JSON contains only one series: give component_uuid, service_uuid and characteristic_uuid once each, or accept ${files}`,
  )
}

/**
 * Waits for the first piece, so that an early failure gets an answer with a status. A later failure closes the
 * connection. If the client disconnects before the answer begins, the pieces are ended here, because nothing else would
 * end them. A client may read for a long time, so its token is checked repeatedly.
 */
async function started(
  pieces: AsyncIterable<Uint8Array>,
  left: AbortSignal,
  checkAgain: () => Promise<void>,
): Promise<AsyncGenerator<Uint8Array>> {
  const iterator = pieces[Symbol.asyncIterator]()
  let checkedAt = performance.now()
  const first = await iterator.next()
  const end = (): void => void iterator.return?.().catch(() => undefined)
  if (left.aborted) end()
  else left.addEventListener('abort', end, { once: true })
  return (async function* () {
    try {
      for (let next = first; next.done !== true; next = await iterator.next()) {
        if (performance.now() - checkedAt > CHECK_EVERY_MS) {
          await checkAgain()
          checkedAt = performance.now()
        }
        yield next.value
      }
    } finally {
      await iterator.return?.()
    }
  })()
}

async function* logged(
  pieces: AsyncGenerator<Uint8Array>,
  context: Context<AppEnv>,
  logger: Logger,
): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces
  } catch (error) {
    logger.error({ traceId: context.get('traceId'), ...errorFields(error) }, 'an export failed')
    // The HTTP adapter would print the error and write it into the answer.
    if (context.env.outgoing === undefined) throw error
    context.env.outgoing.destroy()
  }
}
