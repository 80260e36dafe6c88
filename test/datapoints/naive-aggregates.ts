import type { Aggregation } from '../../src/datapoints/buckets/aggregate.ts'
import { cellAt, type Before, type Cell, type Columns } from '../../src/datapoints/chunks/point-columns.ts'
import { nearestTo } from './doubles.ts'

/** What the figures of a bucket mean, written for reading: every bucket looks at every point. */
export function naiveFigure(
  aggregation: Aggregation,
  columns: Columns,
  [from, to]: readonly [number, number],
  before?: Before,
): Cell {
  const all = Array.from(columns.at, (at, index) => ({ at, value: cellAt(columns.values, index) }))
  const inside = all.filter(({ at }) => at >= from && at < to)
  const earlier = [...(before === undefined ? [] : [before]), ...all.filter(({ at }) => at < from)].at(-1)
  const values = inside.map(({ value }) => value)
  if (aggregation === 'count') return values.length
  if (aggregation === 'changes') return changes(earlier === undefined ? values : [earlier.value, ...values])
  if (aggregation === 'timeWeightedAvg') return overTime(earlier, inside, from, to)
  if (values.length === 0) return null
  if (aggregation === 'first') return values[0] ?? null
  if (aggregation === 'last') return values.at(-1) ?? null
  return typeof values[0] === 'bigint'
    ? wholeFigure(aggregation, values as bigint[], earlier?.value as bigint | undefined)
    : numberFigure(aggregation, values as number[], earlier?.value as number | undefined)
}

function changes(values: readonly Cell[]): number {
  return values.filter((value, index) => index > 0 && value !== values[index - 1]).length
}

function overTime(earlier: Before | undefined, inside: readonly Before[], from: number, to: number): Cell {
  const held = [...(earlier === undefined ? [] : [{ ...earlier, at: from }]), ...inside]
  const [first] = held
  if (first === undefined) return null
  const timeOf = (index: number): number => (held[index + 1]?.at ?? to) - (held[index]?.at ?? to)
  if (typeof first.value === 'bigint') {
    const area = held.reduce((sum, { value }, index) => sum + BigInt(value) * BigInt(timeOf(index)), 0n)
    return nearestTo(area, BigInt(to - first.at))
  }
  const parts = held.map(({ value }, index) => Number(value) * timeOf(index))
  return parts.reduce((sum, part) => sum + part, 0) / (to - first.at)
}

function wholeFigure(aggregation: Aggregation, values: readonly bigint[], earlier: bigint | undefined): Cell {
  const sorted = values.toSorted((a, b) => (a < b ? -1 : 1))
  const sum = values.reduce((total, value) => total + value, 0n)
  if (aggregation === 'min') return sorted[0] ?? null
  if (aggregation === 'max') return sorted.at(-1) ?? null
  if (aggregation === 'sum') return sum
  if (aggregation === 'delta') return (values.at(-1) ?? 0n) - (earlier ?? values[0] ?? 0n)
  if (aggregation === 'avg') return nearestTo(sum, BigInt(values.length))
  const rank = (values.length - 1) * (aggregation === 'median' ? 50 : 95)
  const [low, high] = [sorted[Math.floor(rank / 100)] ?? 0n, sorted[Math.ceil(rank / 100)] ?? 0n]
  return nearestTo(low * 100n + (high - low) * BigInt(rank % 100), 100n)
}

function numberFigure(aggregation: Aggregation, values: readonly number[], earlier: number | undefined): Cell {
  const sorted = values.toSorted((a, b) => a - b)
  const sum = values.reduce((total, value) => total + value, 0)
  if (aggregation === 'min') return sorted[0] ?? null
  if (aggregation === 'max') return sorted.at(-1) ?? null
  if (aggregation === 'sum') return sum
  if (aggregation === 'avg') return sum / values.length
  if (aggregation === 'delta') return (values.at(-1) ?? 0) - (earlier ?? values[0] ?? 0)
  return percentile(sorted, aggregation === 'median' ? 0.5 : 0.95)
}

function percentile(sorted: readonly number[], share: number): number {
  const rank = share * (sorted.length - 1)
  const [low, high] = [sorted[Math.floor(rank)] ?? 0, sorted[Math.ceil(rank)] ?? 0]
  return low + (high - low) * (rank % 1)
}
