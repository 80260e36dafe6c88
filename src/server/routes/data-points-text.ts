import type { Before } from '../../datapoints/chunks/point-columns.ts'
import type { Bucket } from '../../datapoints/buckets/fill.ts'
import type { Run } from '../../datapoints/buckets/state-changes.ts'
import { timestampText } from '../../datapoints/wire/timestamp-text.ts'
import type { ValueRules } from '../../records/values/value.ts'
import { keysOf } from '../../lib/entries.ts'
import { figureJson } from '../../platform/datapoints/export/export-buckets.ts'
import { valueJson } from '../../platform/datapoints/export/export-ndjson.ts'
import type { ReadableSeries } from '../../platform/datapoints/reading/series/readable-series.ts'
import type { Reading } from '../../platform/datapoints/reading/read-datapoints.ts'
import { cursorOfPoint } from '../../platform/datapoints/reading/forms/read-page.ts'
import { toSnake } from '../../lib/letter-case.ts'

/** Writes the JSON of an answer point by point. It takes a third of JSON.stringify's time, keeps -0, and can stop. */
export function* readingPieces(series: ReadableSeries, reading: Reading): Generator<string> {
  const { systemUuid, componentUuid, serviceUuid, characteristicUuid, characteristic, otherDataTypes = [] } = series
  const head = JSON.stringify({
    system_uuid: systemUuid,
    component_uuid: componentUuid,
    service_uuid: serviceUuid,
    characteristic_uuid: characteristicUuid,
    data_type: characteristic['dataType'],
    ...(otherDataTypes.length > 0 && { other_data_types: otherDataTypes }),
    symbol: characteristic['symbol'] ?? null,
  })
  yield `${head.slice(0, -1)},`
  yield* contentPieces(reading, series.rules)
  yield '}'
}

function* contentPieces(reading: Reading, rules: ValueRules): Generator<string> {
  switch (reading.form) {
    case 'page':
      yield* listPieces('points', reading.points, (point) => pointText(point, rules))
      yield `,"next":${JSON.stringify(nextOf(reading))}`
      return
    case 'curve':
      return yield* listPieces('points', reading.points, (point) => pointText(point, rules))
    case 'buckets':
      return yield* listPieces('buckets', reading.buckets, (bucket) => bucketText(bucket, rules))
    case 'states':
      return yield* listPieces('states', reading.states, (run) => stateText(run, rules))
  }
}

function* listPieces<Item>(name: string, items: readonly Item[], textOf: (item: Item) => string): Generator<string> {
  yield `"${name}":[`
  let separator = ''
  for (const item of items) {
    yield separator + textOf(item)
    separator = ','
  }
  yield ']'
}

function pointText({ at, value }: Before, rules: ValueRules): string {
  return `{"timestamp":"${timestampText(at)}","value":${valueJson(value, rules)}}`
}

/** Returns the cursor for `after`; null on the last page. */
function nextOf({ points, hasNextPage }: Extract<Reading, { form: 'page' }>): string | null {
  const last = points.at(-1)
  return hasNextPage && last !== undefined ? cursorOfPoint(last.at) : null
}

function bucketText(bucket: Bucket, rules: ValueRules): string {
  const { from, to, count, cells } = bucket
  const others = keysOf(cells).filter((name) => name !== 'count')
  const figures = others.map((name) => `,"${toSnake(name)}":${figureJson(bucket, name, rules)}`).join('')
  return `{"from":"${timestampText(from)}","to":"${timestampText(to)}","count":${count}${figures}}`
}

function stateText({ from, to, value, count }: Run, rules: ValueRules): string {
  const times = `"from":"${timestampText(from)}","to":"${timestampText(to)}"`
  return `{${times},"value":${valueJson(value, rules)},"count":${count}}`
}
