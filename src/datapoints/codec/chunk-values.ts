import type { ValueKind } from '../../records/values/value.ts'
import { readBinary, writeBinary } from './binary-values.ts'
import { damaged, type BitReader, type BitWriter } from './bits.ts'
import { planDecimals, readDecimals, writeDecimals } from './decimal-values.ts'
import { readTexts, writeTexts } from './text-values.ts'
import { readWholes, writeWholes } from './whole-values.ts'
import { readWholeNumbers, writeWholeNumbers } from './whole-numbers.ts'

/** The decoded values of a chunk. */
export type ChunkValues = Float64Array | BigInt64Array | Uint8Array | string[]

const DECIMAL = 0
const BINARY = 1

/** If a larger share of the values has too many decimals, all are written as doubles. */
const MOST_EXCEPTIONS = 1 / 8

export function writeValues(writer: BitWriter, values: ChunkValues, kind: ValueKind, compress: boolean): void {
  if (Array.isArray(values)) return writeTexts(writer, values, compress)
  if (kind === 'boolean') return writeWholeNumbers(writer, Float64Array.from(values, Number))
  if (values instanceof Uint8Array) throw new TypeError(`values of the kind ${kind} cannot be bytes`)
  if (kind === 'integer') return writeWholes(writer, values)
  if (values instanceof BigInt64Array) throw new TypeError(`values of the kind ${kind} cannot be bigints`)
  writeFloats(writer, values)
}

function writeFloats(writer: BitWriter, values: Float64Array): void {
  const plan = planDecimals(values)
  const areDecimals = plan !== null && plan.exceptions <= Math.max(1, values.length * MOST_EXCEPTIONS)
  writer.bits(areDecimals ? DECIMAL : BINARY, 1)
  if (areDecimals) writeDecimals(writer, values, plan)
  else writeBinary(writer, values)
}

export function readValues(reader: BitReader, count: number, kind: ValueKind): ChunkValues {
  if (kind === 'text') return readTexts(reader, count)
  if (kind === 'boolean') return readBooleans(reader, count)
  if (kind === 'integer') return readWholes(reader, count)
  return reader.bits(1) === DECIMAL ? readDecimals(reader, count) : readBinary(reader, count)
}

function readBooleans(reader: BitReader, count: number): Uint8Array {
  const numbers = readWholeNumbers(reader, count)
  return Uint8Array.from(numbers, (number) => {
    if (number !== 0 && number !== 1) throw damaged(`it has the boolean ${number}`)
    return number
  })
}
