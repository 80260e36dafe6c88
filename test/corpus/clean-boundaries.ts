import type { Rule } from './clean-rule.ts'
import type { Characteristic, CorpusDocument } from './document.ts'

export const BOUNDARY_RULES: { readonly [name: string]: Rule } = {
  'fractional-integer': fix(isFractionalInteger, (characteristic) => {
    characteristic.dataType = 'FLOAT'
  }),
  'swapped-boundaries': fix(isSwapped, (characteristic) => {
    const { boundaryMin: min, boundaryMax: max } = characteristic
    Object.assign(characteristic, { boundaryMin: max, boundaryMax: min })
  }),
  // The range is what the device keeps to; a step that misses its ends is only a hint to whoever draws the slider.
  'step-off-grid': fix(isOffGrid, (characteristic) => {
    delete characteristic.boundaryStep
  }),
}

function fix(
  isDirty: (characteristic: Characteristic) => boolean,
  repair: (characteristic: Characteristic) => void,
): Rule {
  return (draft: CorpusDocument) => {
    const dirty = draft.characteristics.filter(isDirty)
    dirty.forEach(repair)
    return dirty.length
  }
}

function isFractionalInteger({ dataType, boundaryMin = 0, boundaryMax = 0 }: Characteristic): boolean {
  return dataType === 'INTEGER' && !(Number.isInteger(boundaryMin) && Number.isInteger(boundaryMax))
}

function isSwapped({ boundaryMin = -Infinity, boundaryMax = Infinity }: Characteristic): boolean {
  return boundaryMin > boundaryMax
}

/** Specification section 2: a step of 0.5 allows 0, 0.5, 1, 1.5 …, so both ends have to be multiples of it. */
function isOffGrid({ boundaryMin = 0, boundaryMax = 0, boundaryStep: step }: Characteristic): boolean {
  if (step === undefined) return false
  return step <= 0 || ![boundaryMin, boundaryMax].every((end) => isNearlyWhole(end / step))
}

function isNearlyWhole(value: number): boolean {
  return Math.abs(value - Math.round(value)) < 1e-9
}
