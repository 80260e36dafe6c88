import { DecimalGrid } from '../../../../../records/values/decimal-grid.ts'
import { enforcedBoundary, kindOf } from '../../../../../records/data-types/data-type.ts'
import type { RecordBody } from '../../../../../records/record-type.ts'

// The platform counts steps from 0 and from boundaryMin (docs/decisions/0026). A browser counts them from the smallest
// value alone, and where there is none from the value that the field is made with.

/** `in steps of 0.5`, and from where, unless that is the same from 0 and from boundaryMin; empty if any number is. */
export function stepsText(characteristic: RecordBody): string {
  const { boundaryStep: step } = characteristic
  if (!isNumber(characteristic) || !isStep(step)) return ''
  const least = enforcedBoundary(characteristic, 'boundaryMin')
  const isCountedTwice = least !== null && !isOn(step, String(least))
  return `in steps of ${step}${isCountedTwice ? ` from 0 or from ${String(least)}` : ''}`
}

/**
 * The `step` of a field that is filled with `given`. It is `any` where a browser would count from another number and
 * refuse what the platform accepts.
 */
export function fieldStep(characteristic: RecordBody, given: string, usual: string | undefined): string | undefined {
  if (!isNumber(characteristic)) return usual
  const { boundaryStep } = characteristic
  const least = enforcedBoundary(characteristic, 'boundaryMin')
  const step = isStep(boundaryStep) ? boundaryStep : Number(usual)
  if (!isStep(step)) return usual
  return isOn(step, String(least ?? given)) ? String(step) : 'any'
}

function isNumber(characteristic: RecordBody): boolean {
  const kind = kindOf(characteristic)
  return kind === 'float' || kind === 'integer'
}

function isStep(step: unknown): step is number {
  return typeof step === 'number' && step > 0
}

/** Tells whether a number is on a step as counted from 0. Beyond 2^53 it is whole, and only exact as a text. */
function isOn(step: number, written: string): boolean {
  const grid = new DecimalGrid(step)
  return WHOLE.test(written) ? grid.hasWhole(BigInt(written)) : grid.has(Number(written))
}

const WHOLE = /^-?\d+$/
