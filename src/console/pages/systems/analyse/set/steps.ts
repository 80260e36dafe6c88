import { DecimalGrid } from '../../../../../records/values/decimal-grid.ts'
import { enforcedBoundary, kindOf } from '../../../../../records/data-types/data-type.ts'
import type { RecordBody } from '../../../../../records/record-type.ts'

// The platform counts steps from 0 and from boundaryMin (docs/decisions/0026). A browser counts only from the minimum
// or, if there is none, from the initial value of the field.

/** `in steps of 0.5`, with the start if steps from 0 and from boundaryMin differ; empty if there are no steps. */
export function stepsText(characteristic: RecordBody): string {
  const { boundaryStep: step } = characteristic
  if (!isNumber(characteristic) || !isStep(step)) return ''
  const least = enforcedBoundary(characteristic, 'boundaryMin')
  const isCountedTwice = least !== null && !isOn(step, String(least))
  return `in steps of ${step}${isCountedTwice ? ` from 0 or from ${String(least)}` : ''}`
}

/**
 * The `step` of a field with the initial value `given`. It is `any` if the browser would count from another number and
 * reject values that the platform accepts.
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

/** Whether a number is a multiple of the step. A number beyond 2^53 is an integer, and is compared as text. */
function isOn(step: number, written: string): boolean {
  const grid = new DecimalGrid(step)
  return WHOLE.test(written) ? grid.hasWhole(BigInt(written)) : grid.has(Number(written))
}

const WHOLE = /^-?\d+$/
