import type { Json } from '../../../../../lib/json.ts'
import type { SystemSeries } from '../../../../../platform/systems/system-series.ts'
import { optionsOf, precisionOf } from '../shape.ts'

const MINUS = '−'

/** A value as people read it: with the precision of its characteristic, and labels instead of keys. */
export function valueText(value: Json, series: Pick<SystemSeries, 'characteristic'>): string {
  if (value === null) return ''
  if (typeof value === 'number') return figureText(value, precisionOf(series))
  if (typeof value === 'boolean') return String(value)
  if (Array.isArray(value) && value.every((one) => typeof one === 'string'))
    return value.map((one) => stateText(one, series)).join(', ')
  return typeof value === 'string' ? stateText(value, series) : JSON.stringify(value)
}

function stateText(key: string, series: Pick<SystemSeries, 'characteristic'>): string {
  return optionsOf(series).get(key)?.label ?? key
}

/** Without a precision, as many digits as tell values apart that people compare. */
export function figureText(value: number, precision: number | null): string {
  const digits = precision ?? Math.max(0, Math.min(6, 4 - Math.ceil(Math.log10(Math.abs(value) || 1))))
  const options = { maximumFractionDigits: digits, minimumFractionDigits: precision ?? 0 }
  return value
    .toLocaleString('en-US', options)
    .replace(/^-(?=.*[1-9])/, MINUS)
    .replace('-', '')
}
