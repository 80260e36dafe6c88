import type { ErrorObject } from 'ajv'
import { didYouMean } from '../../lib/suggest.ts'

/** An error of a validator that is a mistake of its own, not the consequence of another. */
export interface Mistake {
  readonly error: ErrorObject
  /** On an unknown key: the missing key of the same object that it is a misspelling of. */
  readonly misspelled?: string
}

/** Ajv reports every keyword that fails; one slip of the pen often fails several. */
export function withoutConsequences(errors: readonly ErrorObject[]): Mistake[] {
  const byPath = Map.groupBy(mergeAlternatives(errors), ({ instancePath }) => instancePath)
  return [...byPath.values()].flatMap((group) => pairMisspelled(group.filter((error) => !isConsequence(error, group))))
}

/** An unmet `anyOf` comes after the errors of its branches; together they are one mistake, or those of the branch that was meant. */
function mergeAlternatives(errors: readonly ErrorObject[]): ErrorObject[] {
  const merged: ErrorObject[] = []
  for (const error of errors) {
    if (error.keyword === 'anyOf') merged.push(...mergeBranches(error, takeBelow(merged, error.instancePath)))
    else merged.push(error)
  }
  return merged
}

/** Takes the errors at a path and below it off the end of the list. */
function takeBelow(errors: ErrorObject[], path: string): ErrorObject[] {
  const start = errors.findLastIndex(
    (error) => error.instancePath !== path && !error.instancePath.startsWith(`${path}/`),
  )
  return errors.splice(start + 1)
}

/** A branch whose type fits is the one that was meant; where none fits, all types are allowed ones. */
function mergeBranches(error: ErrorObject, branches: readonly ErrorObject[]): ErrorObject[] {
  const isOtherType = (branch: ErrorObject) => branch.keyword === 'type' && branch.instancePath === error.instancePath
  const meant = branches.filter((branch) => !isOtherType(branch))
  if (meant.length > 0) return meant
  const types = new Set(branches.flatMap(({ params }) => params['type'] as string | string[]))
  return [{ ...error, keyword: 'type', params: { type: [...types] } }]
}

/** What else ajv reports at the same place because of the same mistake. */
function isConsequence({ keyword }: ErrorObject, group: readonly ErrorObject[]): boolean {
  const has = (...keywords: string[]) => group.some((error) => keywords.includes(error.keyword))
  if (keyword === 'type') return has('enum', 'const')
  if (keyword === 'minProperties' || keyword === 'maxProperties') return has('additionalProperties')
  return false
}

/** A misspelled key is unknown, and the key that was meant is missing: that is one mistake. */
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
