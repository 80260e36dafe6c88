import { compileRules, kindOf } from '../../records/data-types/data-type.ts'
import { isViolation } from '../../records/values/violation.ts'
import { numberText } from '../../records/values/value.ts'
import { shownDecimals } from '../../records/data-types/float.ts'
import type { RecordBody } from '../../records/record-type.ts'

/** A value as a device sends it: within the limits, on a step, and with the precision of its characteristic. */
export interface Fitted {
  /** The value as JSON; null if the characteristic allows no value near it. */
  readonly text: string | null
  readonly problem?: string
}

export type Fit = (value: unknown) => Fitted

/** The decimals of a FLOAT if the model does not define its precision. */
const USUAL_DIGITS = 3
/** No step has that many decimals. Rounding to them removes binary rounding errors. */
const STEP_DIGITS = 9

export function fitTo(characteristic: RecordBody): Fit {
  const rules = compileRules(characteristic)
  const isNumeric = rules.kind === 'float' || rules.kind === 'integer'
  const round = isNumeric ? rounding(characteristic) : null
  return (value) => {
    const near = round !== null && typeof value === 'number' ? round(value) : value
    const answer = rules.accept(near)
    if (isViolation(answer)) return { text: null, problem: answer.detail }
    return { text: typeof near === 'number' ? numberText(near) : JSON.stringify(near) }
  }
}

function rounding(characteristic: RecordBody): (value: number) => number {
  const number = (field: string) => (typeof characteristic[field] === 'number' ? characteristic[field] : null)
  const least = number('boundaryMin') ?? -Infinity
  const most = number('boundaryMax') ?? Infinity
  const step = number('boundaryStep') ?? 0
  const digits = kindOf(characteristic) === 'integer' ? 0 : shownDecimals(number('precision') ?? USUAL_DIGITS)
  const scale = 10 ** digits
  const base = Number.isFinite(least) ? least : 0
  return (value) => {
    const inside = Math.min(Math.max(value, least), most)
    if (step <= 0) return Math.round(inside * scale) / scale
    const steps = Math.min(Math.round((inside - base) / step), Math.floor((most - base) / step + 1e-9))
    return Number((base + steps * step).toFixed(STEP_DIGITS))
  }
}
