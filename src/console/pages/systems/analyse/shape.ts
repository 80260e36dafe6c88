import { dataTypeOf } from '../../../../records/data-types/data-type.ts'
import { isObject } from '../../../../lib/json.ts'
import type { SystemSeries } from '../../../../platform/datapoints/reading/series/system-series.ts'
import type { ValueShape } from '../../../../records/data-types/declaration.ts'
import { shownDecimals } from '../../../../records/data-types/float.ts'
import { shortText } from '../../../parts/short-text.ts'

export function shapeOf({ characteristic }: Pick<SystemSeries, 'characteristic'>): ValueShape {
  return dataTypeOf(characteristic).shape
}

/** Whether a series is a setting. A setting holds until it is set again. A measurement is valid only for its time. */
export function isSetting({ characteristic }: Pick<SystemSeries, 'characteristic'>): boolean {
  return characteristic['characteristicType'] === 'SETTING'
}

/** The display name, shortened. The page of the record shows a very long name in full. */
export function nameOf(series: SystemSeries): string {
  return shortText(wholeNameOf(series))
}

export function wholeNameOf({
  characteristic,
  characteristicKey,
}: Pick<SystemSeries, 'characteristic' | 'characteristicKey'>): string {
  return typeof characteristic['name'] === 'string' ? characteristic['name'] : characteristicKey
}

const LONGEST_UNIT = 24

export function unitOf(series: Pick<SystemSeries, 'characteristic'>): string {
  return shortText(wholeUnitOf(series), LONGEST_UNIT)
}

export function wholeUnitOf({ characteristic }: Pick<SystemSeries, 'characteristic'>): string {
  return typeof characteristic['symbol'] === 'string' ? characteristic['symbol'] : ''
}

export function precisionOf({ characteristic }: Pick<SystemSeries, 'characteristic'>): number | null {
  return typeof characteristic['precision'] === 'number' ? shownDecimals(characteristic['precision']) : null
}

export interface Option {
  readonly label: string
  /** The colour as the model names it. The drawing may not know it. */
  readonly colour: string | null
}

/** The options of a SELECT by their keys. */
export function optionsOf({ characteristic }: Pick<SystemSeries, 'characteristic'>): ReadonlyMap<string, Option> {
  const options = Array.isArray(characteristic['options']) ? characteristic['options'].filter(isObject) : []
  return new Map(
    options.map(({ key, label, meta }) => [String(key), { label: shortText(String(label)), colour: colourIn(meta) }]),
  )
}

function colourIn(meta: unknown): string | null {
  const entries = Array.isArray(meta) ? meta.filter(isObject) : []
  const found = entries.find(({ key }) => key === 'colour' || key === 'color')
  return typeof found?.['value'] === 'string' ? found['value'] : null
}
