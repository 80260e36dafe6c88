import type { Json } from '../../../../../lib/json.ts'
import type { SystemSeries } from '../../../../../platform/datapoints/reading/series/system-series.ts'
import { exactText } from '../../../../assets/analyse/figures.js'
import { optionsOf, precisionOf, shapeOf } from '../shape.ts'

/** The text of a value: with all digits or with the digits of its precision, and with labels for keys. */
export function valueText(value: Json, series: Pick<SystemSeries, 'characteristic'>): string {
  if (value === null) return ''
  if (typeof value === 'number' || (typeof value === 'string' && shapeOf(series) === 'line'))
    return exactText(value, precisionOf(series))
  if (typeof value === 'boolean') return String(value)
  if (Array.isArray(value) && value.every((one) => typeof one === 'string'))
    return value.map((one) => stateText(one, series)).join(', ') || 'none'
  return typeof value === 'string' ? stateText(value, series) : JSON.stringify(value)
}

function stateText(key: string, series: Pick<SystemSeries, 'characteristic'>): string {
  return optionsOf(series).get(key)?.label ?? key
}
