import { encode } from '@msgpack/msgpack'
import { randomUUID } from 'node:crypto'
import { compileRules } from '../src/datapoints/rules/compile-rules.ts'
import { hasOtherFields } from '../src/datapoints/wire/element.ts'
import { readTimestamp, timestampLimits } from '../src/datapoints/wire/timestamp.ts'
import { isViolation } from '../src/datapoints/rules/violation.ts'
import { decodeJson, decodeMessagePack } from '../src/datapoints/wire/wire.ts'
import type { ValueRules } from '../src/datapoints/rules/value.ts'
import { median, timed } from './measure.ts'

// node bench/datapoints-rules.ts. What one datapoint costs before it goes to the database, next to the bare reading of
// its JSON: microseconds of one core, medians.

const POINTS = 1000
const ROUNDS = 200
const SAMPLES = 9
const START = Date.UTC(2026, 0, 31, 6, 30)

const characteristics = {
  'FLOAT without bounds': { dataType: 'FLOAT' },
  'FLOAT, bounds, step 0.5, precision 1': {
    dataType: 'FLOAT',
    boundaryMin: -40,
    boundaryMax: 6000,
    boundaryStep: 0.5,
    precision: 1,
  },
  INTEGER: { dataType: 'INTEGER', boundaryMin: 0 },
  BOOLEAN: { dataType: 'BOOLEAN' },
  STRING: { dataType: 'STRING' },
}

type Point = { readonly timestamp: string; readonly value: unknown }

function pointsOf(dataType: string): Point[] {
  const [characteristic_uuid, component_uuid, service_uuid, system_uuid] = Array.from({ length: 4 }, () => randomUUID())
  return Array.from({ length: POINTS }, (_, index) => ({
    characteristic_uuid,
    component_uuid,
    service_uuid,
    system_uuid,
    timestamp: new Date(START + index * 1000).toISOString(),
    value: valueOf(dataType, index),
  }))
}

function valueOf(dataType: string, index: number): unknown {
  if (dataType === 'BOOLEAN') return index % 3 === 0
  if (dataType === 'STRING') return `state ${index}`
  return dataType === 'INTEGER' ? index : index / 2
}

async function microseconds(work: () => void): Promise<number> {
  const samples: number[] = []
  for (let sample = 0; sample < SAMPLES; sample++) {
    samples.push(
      await timed(() => {
        for (let round = 0; round < ROUNDS; round++) work()
      }),
    )
  }
  return (median(samples) * 1000) / (ROUNDS * POINTS)
}

function check(points: readonly Point[], rules: ValueRules): void {
  const limits = timestampLimits((START + 86_400_000) * 1000)
  for (const point of points) {
    const at = readTimestamp(point.timestamp, limits)
    const value = rules.accept(point.value)
    if (isViolation(at) || isViolation(value) || hasOtherFields(point)) throw new Error('a good point was refused')
  }
}

for (const [name, characteristic] of Object.entries(characteristics)) {
  const points = pointsOf(characteristic.dataType)
  const json = new TextEncoder().encode(JSON.stringify(points))
  const packed = encode(points)
  const text = new TextDecoder().decode(json)
  const rules = compileRules(characteristic)
  const rows: (readonly [what: string, cost: number])[] = [
    ['JSON.parse of a string', await microseconds(() => void JSON.parse(text))],
    ['decodeJson of bytes', await microseconds(() => void decodeJson(json))],
    ['decodeMessagePack', await microseconds(() => void decodeMessagePack(packed))],
    ['fields, timestamp and value', await microseconds(() => check(points, rules))],
    ['value alone', await microseconds(() => points.forEach(({ value }) => rules.accept(value)))],
  ]
  process.stdout.write(`${name}\n`)
  for (const [what, cost] of rows) process.stdout.write(`  ${cost.toFixed(3).padStart(7)} µs  ${what}\n`)
}
