import type { ErrorObject } from 'ajv'
import { didYouMean } from '../../lib/suggest.ts'

/** An error of a validator that is a mistake of its own rather than the consequence of another one. */
export interface Mistake {
  readonly error: ErrorObject
  /** The missing key of the same object, where an unknown key seems to be a misspelling of it. */
  readonly misspelled?: string
}

/**
 * Keeps one error for each mistake. Ajv reports every keyword that fails, and a single mistake often fails several.
 */
export function withoutConsequences(errors: readonly ErrorObject[]): Mistake[] {
  const byPath = Map.groupBy(mergeAlternatives(errors), ({ instancePath }) => instancePath)
  return [...byPath.values()].flatMap((group) => pairMisspelled(group.filter((error) => !isConsequence(error, group))))
}

/**
 * Merges the error of an unmet `anyOf`, which follows those of its branches, into one mistake, or into the mistakes
 * of the branch that was meant.
 */
function mergeAlternatives(errors: readonly ErrorObject[]): ErrorObject[] {
  const merged: ErrorObject[] = []
  for (const error of errors) {
    if (error.keyword === 'anyOf') merged.push(...mergeBranches(error, takeBelow(merged, error.instancePath)))
    else merged.push(error)
  }
  return merged
}

/** Removes the errors at a path and below it from the end of the list, and returns them. */
function takeBelow(errors: ErrorObject[], path: string): ErrorObject[] {
  const start = errors.findLastIndex(
    (error) => error.instancePath !== path && !error.instancePath.startsWith(`${path}/`),
  )
  return errors.splice(start + 1)
}

/**
 * A branch whose type fits is the one that was meant. Where none fits, the message names the types of all branches.
 */
function mergeBranches(error: ErrorObject, branches: readonly ErrorObject[]): ErrorObject[] {
  const isOtherType = (branch: ErrorObject) => branch.keyword === 'type' && branch.instancePath === error.instancePath
  const meant = branches.filter((branch) => !isOtherType(branch))
  if (meant.length > 0) return meant
  const types = new Set(branches.flatMap(({ params }) => listed(params['type'])))
  return [{ ...error, keyword: 'type', params: { type: [...types] } }]
}

/** The list in a parameter of an error. Ajv gives a single type as a text, and several as a list. */
export function listed(parameter: unknown): readonly unknown[] {
  return Array.isArray(parameter) ? parameter : [parameter]
}

/** Tells whether ajv reports an error only because of another error at the same path. */
function isConsequence({ keyword }: ErrorObject, group: readonly ErrorObject[]): boolean {
  const has = (...keywords: string[]) => group.some((error) => keywords.includes(error.keyword))
  if (keyword === 'type') return has('enum', 'const')
  if (keyword === 'minProperties' || keyword === 'maxProperties') return has('additionalProperties')
  return false
}

/** Joins an unknown key with the missing key that it seems to be a misspelling of, because both are one mistake. */
function pairMisspelled(group: readonly ErrorObject[]): Mistake[] {
  const missing = group
    .filter(({ keyword }) => keyword === 'required')
    .map(({ params }) => String(params['missingProperty']))
  const pairs = new Map<ErrorObject, string>()
  for (const error of group.filter(({ keyword }) => keyword === 'additionalProperties')) {
    const free = missing.filter((key) => ![...pairs.values()].includes(key))
    const meant = free.find((key) =>
      didYouMean(String(error.params['additionalProperty']), free).includes(JSON.stringify(key)),
    )
    if (meant !== undefined) pairs.set(error, meant)
  }
  const found = new Set(pairs.values())
  return group
    .filter(({ keyword, params }) => keyword !== 'required' || !found.has(String(params['missingProperty'])))
    .map((error) => toMistake(error, pairs.get(error)))
}

function toMistake(error: ErrorObject, misspelled: string | undefined): Mistake {
  return misspelled === undefined ? { error } : { error, misspelled }
}
