import type { Bucket } from '../../datapoints/buckets/fill.ts'
import type { Run } from '../../datapoints/buckets/state-changes.ts'
import { timestampText } from '../../datapoints/wire/timestamp-text.ts'
import type { ValueRules } from '../../datapoints/rules/value.ts'
import { keysOf } from '../../lib/entries.ts'
import { figureJson } from '../../platform/datapoints/export/export-buckets.ts'
import { valueJson } from '../../platform/datapoints/export/export-ndjson.ts'
import type { ReadableSeries } from '../../platform/datapoints/reading/series/readable-series.ts'
import type { Reading } from '../../platform/datapoints/reading/read-datapoints.ts'
import { cursorOfPoint } from '../../platform/datapoints/reading/forms/read-page.ts'
import { toSnake } from '../../lib/letter-case.ts'

/** The JSON text of an answer. Points are written one by one, which takes a third of the time and keeps -0. */
export function readingText(series: ReadableSeries, reading: Reading): string {
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
  return `${head.slice(0, -1)},${contentText(reading, series.rules)}}`
}

function contentText(reading: Reading, rules: ValueRules): string {
  switch (reading.form) {
    case 'page':
      return `"points":${pointsText(reading.points, rules)},"next":${JSON.stringify(nextOf(reading))}`
    case 'curve':
      return `"points":${pointsText(reading.points, rules)}`
    case 'buckets':
      return `"buckets":[${reading.buckets.map((bucket) => bucketText(bucket, rules)).join(',')}]`
    case 'states':
      return `"states":[${reading.states.map((run) => stateText(run, rules)).join(',')}]`
  }
}

type Points = Extract<Reading, { form: 'page' }>['points']

function pointsText(points: Points, rules: ValueRules): string {
  const texts = points.map(({ at, value }) => `{"timestamp":"${timestampText(at)}","value":${valueJson(value, rules)}}`)
  return `[${texts.join(',')}]`
}

/** The cursor for `after`; null on the last page. */
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
