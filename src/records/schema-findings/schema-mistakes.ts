import type { ErrorObject } from 'ajv'
import { didYouMean } from '../../lib/suggest.ts'

/** An error of a validator that does not follow from another error. */
export interface Mistake {
  readonly error: ErrorObject
  /** The missing key of the same object, if an unknown key seems to be its misspelling. */
  readonly misspelled?: string
}

/** Keeps one error for each mistake. Ajv reports every failed keyword, and a single mistake often fails several. */
export function withoutConsequences(errors: readonly ErrorObject[]): Mistake[] {
  const byPath = Map.groupBy(mergeAlternatives(errors), ({ instancePath }) => instancePath)
  return [...byPath.values()].flatMap((group) => pairMisspelled(group.filter((error) => !isConsequence(error, group))))
}

/**
 * Merges the error of a failed `anyOf` and the errors of its branches into one mistake, or into the mistakes of the
 * branch that the author intended.
 */
function mergeAlternatives(errors: readonly ErrorObject[]): ErrorObject[] {
  const merged: ErrorObject[] = []
  for (const error of errors) {
    if (error.keyword === 'anyOf') merged.push(...mergeBranches(error, takeBelow(merged, error.instancePath)))
    else merged.push(error)
  }
  return merged
}

/** Removes the errors at and below a path from the end of the list, and returns them. */
function takeBelow(errors: ErrorObject[], path: string): ErrorObject[] {
  const start = errors.findLastIndex(
    (error) => error.instancePath !== path && !error.instancePath.startsWith(`${path}/`),
  )
  return errors.splice(start + 1)
}

/** The branch with a matching type is intended. If none matches, the message names the types of all branches. */
function mergeBranches(error: ErrorObject, branches: readonly ErrorObject[]): ErrorObject[] {
  const isOtherType = (branch: ErrorObject) => branch.keyword === 'type' && branch.instancePath === error.instancePath
  const meant = branches.filter((branch) => !isOtherType(branch))
  if (meant.length > 0) return meant
  const types = new Set(branches.flatMap(({ params }) => listed(params['type'])))
  return [{ ...error, keyword: 'type', params: { type: [...types] } }]
}

/** The list in a parameter of an error. Ajv gives a single type as text, and several as a list. */
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

/** Joins an unknown key and the missing key that it seems to misspell, because both are one mistake. */
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
