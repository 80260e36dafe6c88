import type { Context, Hono } from 'hono'
import { ReadableStream } from 'node:stream/web'
import { HoldfastError } from '../../lib/errors.ts'
import { exportCsv } from '../../platform/datapoints/export-csv.ts'
import { exportNdjson } from '../../platform/datapoints/export-ndjson.ts'
import { exportParquet } from '../../platform/datapoints/export-parquet.ts'
import { exportPoints } from '../../platform/datapoints/export-points.ts'
import { findSeriesOf, requireSeries, type SeriesName } from '../../platform/datapoints/find-series.ts'
import type { PointReader } from '../../platform/datapoints/point-reader.ts'
import { readDatapoints } from '../../platform/datapoints/read-datapoints.ts'
import { readingQuery } from '../../platform/datapoints/reading-query.ts'
import { storedPointReader } from '../../platform/datapoints/stored-point-reader.ts'
import { acceptedType } from '../accepted-type.ts'
import { accessContext } from '../access-context.ts'
import type { AppEnv } from '../app-env.ts'
import { errorFields, type Logger } from '../logger.ts'
import type { Platform } from '../platform.ts'
import { parseDataPointsQuery, type DataPointsQuery } from './data-points-query.ts'
import { readingText } from './data-points-text.ts'
import { restRoute } from './rest-route.ts'

export interface DataPointReadOptions {
  readonly platform: () => Platform
  readonly logger: Logger
}

const JSON_TYPE = 'application/json'

/** Of files: all points of a range, of as many series as are meant. */
const FILE_NAMES = {
  'text/csv': 'datapoints.csv',
  'application/x-ndjson': 'datapoints.ndjson',
  'application/vnd.apache.parquet': 'datapoints.parquet',
} as const

type FileType = keyof typeof FILE_NAMES
const FILE_TYPES = Object.keys(FILE_NAMES) as FileType[]

/** One series as JSON, or a file of any number of them; by the Accept header. */
export function dataPointReadRoute(app: Hono<AppEnv>, { platform, logger }: DataPointReadOptions): void {
  restRoute(app, 'GET /rest/v1/data-points', async (context) => {
    const type = acceptedType<typeof JSON_TYPE | FileType>(context.req.header('accept'), [JSON_TYPE, ...FILE_TYPES])
    const query = parseDataPointsQuery(new URL(context.req.url).searchParams)
    const access = accessContext(platform(), context.get('domain'))
    const reader = storedPointReader(access.database, access.domain.id)
    if (type === JSON_TYPE) return answerJson(context, access, reader, query)
    const pieces = await fileOf(type, context, access, reader, query)
    const stream = ReadableStream.from(logged(await started(pieces), logger, context.get('traceId')))
    const disposition = `attachment; filename="${FILE_NAMES[type]}"`
    return new Response(stream as BodyInit, {
      headers: { 'content-type': mediaType(type), 'content-disposition': disposition },
    })
  })
}

type Access = ReturnType<typeof accessContext>

async function answerJson(
  context: Context<AppEnv>,
  access: Access,
  reader: PointReader,
  { filter, reading, guardFormulas }: DataPointsQuery,
): Promise<Response> {
  if (guardFormulas) throw new HoldfastError('BAD_USER_INPUT', 'guard_formulas is for text/csv')
  const now = access.now()
  const query = readingQuery(reading, now)
  const series = await requireSeries(access, context.get('actor'), oneSeries(filter))
  const text = readingText(series, await readDatapoints(reader, series, query, now))
  return context.body(text, 200, { 'content-type': JSON_TYPE })
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
    `JSON is of one series: give component_uuid, service_uuid and characteristic_uuid once each, or accept ${files}`,
  )
}

async function fileOf(
  type: FileType,
  context: Context<AppEnv>,
  access: Access,
  reader: PointReader,
  { filter, reading, guardFormulas }: DataPointsQuery,
): Promise<AsyncGenerator<Uint8Array>> {
  if (guardFormulas && type !== 'text/csv') throw new HoldfastError('BAD_USER_INPUT', 'guard_formulas is for text/csv')
  const { from, to, ...others } = reading
  const given = Object.entries(others).find(([, value]) => value !== undefined)
  if (given !== undefined)
    throw new HoldfastError(
      'BAD_USER_INPUT',
      `a file has all points of a range, without ${given[0]}; accept ${JSON_TYPE}`,
    )
  const range = readingQuery({ from, to }, access.now())
  const series = await findSeriesOf(access, context.get('actor'), filter)
  const parts = exportPoints(reader, series, range)
  if (type === 'text/csv') return exportCsv(parts, { guardFormulas })
  if (type === 'application/x-ndjson') return exportNdjson(parts)
  return exportParquet(parts, { kinds: new Set(series.map(({ kind }) => kind)) })
}

function mediaType(type: FileType): string {
  return type === 'text/csv' ? 'text/csv; charset=utf-8; header=present' : type
}

/** What fails before the first piece is still an answer with a status; after it the connection breaks off. */
async function started(pieces: AsyncGenerator<Uint8Array>): Promise<AsyncGenerator<Uint8Array>> {
  const first = await pieces.next()
  return (async function* () {
    if (first.done === true) return
    yield first.value
    yield* pieces
  })()
}

async function* logged(
  pieces: AsyncGenerator<Uint8Array>,
  logger: Logger,
  traceId: string,
): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces
  } catch (error) {
    logger.error({ traceId, ...errorFields(error) }, 'an export broke off')
    throw error
  }
}
