import { isDeepStrictEqual } from 'node:util'
import { DOCUMENT_TYPE_NAMES, type DocumentTypeName } from '../../src/records/record-type.ts'
import type { Body } from '../support/random-values.ts'
import { identityFields, type Model } from '../support/valid-model.ts'

// What Git makes of two branches, for models with a line for each field: null if both changed the same line.

/** Stands for a record or a field that is not there. */
const ABSENT = Symbol('absent')
type OrAbsent<Value> = Value | typeof ABSENT

class GitConflict extends Error {}

export function mergeModels(base: Model, ours: Model, theirs: Model): Model | null {
  try {
    const entries = DOCUMENT_TYPE_NAMES.flatMap((type) => {
      const merged = mergeLists(type, base[type], ours[type], theirs[type])
      return merged === undefined ? [] : [[type, merged] as const]
    })
    return Object.fromEntries(entries)
  } catch (error) {
    if (error instanceof GitConflict) return null
    throw error
  }
}

type Records = readonly Body[] | undefined

function mergeLists(type: DocumentTypeName, base: Records, ours: Records, theirs: Records): Records {
  if (isDeepStrictEqual(ours, theirs)) return ours
  if (isDeepStrictEqual(base, ours)) return theirs
  if (isDeepStrictEqual(base, theirs)) return ours
  if (ours === undefined || theirs === undefined) throw new GitConflict()
  const [before, mine, yours] = [base ?? [], ours, theirs].map((records) => byIdentity(type, records))
  const ids = new Set([...before!.keys(), ...mine!.keys(), ...yours!.keys()])
  return [...ids].flatMap((id) => {
    const at = (records: ReadonlyMap<string, Body>) => records.get(id) ?? ABSENT
    const merged = mergeRecords(at(before!), at(mine!), at(yours!))
    return merged === ABSENT ? [] : [merged]
  })
}

function byIdentity(type: DocumentTypeName, records: readonly Body[]): Map<string, Body> {
  const fields = type === 'organizations' ? [] : identityFields(type)
  return new Map(
    records.map((record) => {
      const parts =
        type === 'organizations' ? [record['alias'] ?? record['name']] : fields.map((field) => record[field])
      return [JSON.stringify(parts).toLowerCase(), record]
    }),
  )
}

function mergeRecords(base: OrAbsent<Body>, ours: OrAbsent<Body>, theirs: OrAbsent<Body>): OrAbsent<Body> {
  const whole = mergeValues(base, ours, theirs)
  if (whole !== undefined) return whole
  if (ours === ABSENT || theirs === ABSENT || base === ABSENT) throw new GitConflict()
  const fields = new Set([base, ours, theirs].flatMap((record) => Object.keys(record)))
  const merged = [...fields].map((field) => {
    const at = (record: Body) => (Object.hasOwn(record, field) ? record[field] : ABSENT)
    const value = mergeValues(at(base), at(ours), at(theirs))
    if (value === undefined) throw new GitConflict()
    return [field, value] as const
  })
  return Object.fromEntries(merged.filter(([, value]) => value !== ABSENT)) as Body
}

/** Undefined if both changed it, and not in the same way. */
function mergeValues<Value>(base: Value, ours: Value, theirs: Value): Value | undefined {
  if (isDeepStrictEqual(ours, theirs) || isDeepStrictEqual(base, theirs)) return ours
  return isDeepStrictEqual(base, ours) ? theirs : undefined
}
