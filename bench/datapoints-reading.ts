import { aggregate, type Aggregation } from '../src/datapoints/buckets/aggregate.ts'
import { bucketEdges } from '../src/datapoints/buckets/buckets.ts'
import { parseInterval } from '../src/datapoints/buckets/calendar.ts'
import { asNumbers, type Columns, type Values } from '../src/datapoints/chunks/columns.ts'
import { envelope } from '../src/datapoints/buckets/envelope.ts'
import { lttb } from '../src/datapoints/buckets/lttb.ts'
import { StateChanges } from '../src/datapoints/buckets/state-changes.ts'
import { exportCsv } from '../src/platform/datapoints/export/export-csv.ts'
import { exportNdjson } from '../src/platform/datapoints/export/export-ndjson.ts'
import { exportParquet } from '../src/platform/datapoints/export/export-parquet.ts'
import type { ExportedPart } from '../src/platform/datapoints/export/exported-part.ts'
import { inTurns } from '../src/db/breather.ts'
import { median, timed } from './measure.ts'

// What reading costs once the points of a day are in memory: 24 hours of one a second. Next to it, what nobody can do
// without: making text of the same points with JSON.stringify, and adding them up in a plain loop.

const POINTS = 86_400
const RUNS = 15
const DAY = 1_767_225_600_000_000

const at = Float64Array.from({ length: POINTS }, (_, index) => DAY + index * 1_000_000)
const degrees = Float64Array.from(at, (_, index) => Math.round(2000 + 500 * Math.sin(index / 900) + (index % 7)) / 100)
const meter = BigInt64Array.from({ length: POINTS }, (_, index) => 2n ** 60n + BigInt(index * 3))
const onOff = Uint8Array.from({ length: POINTS }, (_, index) => (index >> 6) & 1)

async function report(what: string, work: () => unknown): Promise<void> {
  await work()
  const times: number[] = []
  for (let run = 0; run < RUNS; run++) times.push(await timed(work))
  const ms = median(times)
  console.log(
    `${what.padEnd(58)} ${ms.toFixed(2).padStart(9)} ms ${((ms * 1e6) / POINTS).toFixed(0).padStart(6)} ns a point`,
  )
}

function edges(interval: string, timeZone = 'UTC'): Float64Array {
  return bucketEdges({ interval: parseInterval(interval), timeZone, from: DAY, to: DAY + POINTS * 1e6, limit: 10_000 })
}

function buckets(values: Values, aggregations: readonly Aggregation[]): void {
  aggregate({ at, values }, { edges: edges('PT1M'), aggregations })
}

async function drain(pieces: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const piece of pieces) if (piece.length === 0) throw new Error('an empty piece')
}

async function* exported(columns: Columns): AsyncGenerator<ExportedPart> {
  const uuid = '00000000-0000-4000-8000-000000000000'
  const series = { system_uuid: uuid, component_uuid: uuid, service_uuid: uuid, characteristic_uuid: uuid }
  yield { series, rules: { kind: 'float', show: String }, columns }
}

const FIGURES: readonly Aggregation[] = ['min', 'max', 'avg', 'sum', 'first', 'last', 'delta']
const curve = { at, values: degrees }

await report('baseline: sum in a plain loop', () => degrees.reduce((sum, value) => sum + value, 0))
await report('baseline: JSON.stringify of [time, value] pairs', () =>
  JSON.stringify(Array.from(at, (time, index) => [time, degrees[index]])),
)
await report('1-minute avg of FLOAT', () => buckets(degrees, ['avg']))
await report('1-minute min max avg sum first last delta of FLOAT', () => buckets(degrees, FIGURES))
await report('the same of INTEGER, exact', () => buckets(meter, FIGURES))
await report('1-minute avg over time', () => buckets(degrees, ['timeWeightedAvg']))
await report('1-minute median and p95', () => buckets(degrees, ['median', 'p95']))
await report('1-minute share of time of BOOLEAN', () => buckets(onOff, ['timeWeightedAvg', 'changes']))
await report('the same 1-minute avg of FLOAT, after all kinds', () => buckets(degrees, ['avg']))
await report('states of BOOLEAN', () => {
  const changes = new StateChanges({ from: DAY, to: DAY + POINTS * 1e6, limit: 10_000 })
  changes.add({ at, values: onOff })
  return changes.finish()
})
await report('LTTB to 1,000', () => inTurns(lttb(at, degrees, 1000)))
await report('LTTB of INTEGER to 1,000', () => inTurns(lttb(at, asNumbers(meter), 1000)))
await report('envelope to 1,000', () => envelope(at, degrees, 1000))
await report('CSV', () => drain(exportCsv(exported(curve), { guardFormulas: false })))
await report('NDJSON', () => drain(exportNdjson(exported(curve))))
await report('Parquet', () => drain(exportParquet(exported(curve), { kinds: new Set(['float']) })))
await report('10,000 days in Europe/Berlin', () =>
  bucketEdges({
    interval: parseInterval('P1D'),
    timeZone: 'Europe/Berlin',
    from: 0,
    to: 86_400e6 * 9_990,
    limit: 10_000,
  }),
)
