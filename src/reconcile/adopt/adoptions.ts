import type { Json } from '../../lib/json.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { didYouMean } from '../../lib/suggest.ts'
import { changedFields } from '../../plan/compare/revert-fields.ts'
import { allChanges, allRows, isReplaced, type Change, type Plan } from '../../plan/plan.ts'
import { comparedKey } from '../../records/identity.ts'
import { METADATA_FIELD } from '../../records/metadata-limits.ts'
import { recordId } from '../../records/record-id.ts'
import { isRecordTypeName, PLANNED_TYPE_NAMES, type RecordBody, type RecordKey } from '../../records/record-type.ts'
import { PLANNED_TYPES, recordType } from '../../records/registry.ts'
import { fieldsInOrder } from '../../records/shape.ts'

/** A field whose value on the platform differs from the files; null if the platform has no value. */
interface AdoptedField {
  readonly name: string
  readonly live: Json
  /** The canonical value in the files; left out if the files have none. */
  readonly planned?: Json
}

/** A change on the platform that becomes a change of the files. */
export interface Adoption extends RecordKey {
  readonly action: 'add' | 'change' | 'remove'
  readonly fields: readonly AdoptedField[]
  /** The record to add. */
  readonly body: RecordBody
  readonly by?: string
}

/** A difference that is not adopted, and why. */
export interface LeftOut extends RecordKey {
  readonly reason: string
}

export interface Selection {
  /** `type/key`, or a type alone. */
  readonly records: readonly string[]
  readonly fields: readonly string[]
}

export interface Chosen {
  /**
   * All records that somebody deleted on the platform, by `type/key`, including records that the user did not choose.
   */
  readonly gone: ReadonlySet<string>
  readonly adoptions: readonly Adoption[]
  readonly left: readonly LeftOut[]
}

/** The maximum number of changes that one run adopts. Each needs 100 µs and 20 KB in the library that edits YAML. */
export const MOST_ADOPTED = 10_000

const BOTH = 'the files and the platform both changed it; name it to take the values of the platform'
const SECRET =
  'its secret was replaced on the platform, and files hold no secrets; change the variable or file to which the files refer'
const MOVED = 'the files give it another key; apply that first'
const UNSEEN = 'this token may not read its values; use one that may read the data model'

/** Chooses the changes of a plan to adopt. By default, these are changes that somebody made only on the platform. */
export function chooseAdoptions(plan: Plan, selection: Selection): Chosen {
  const wanted = readSelection(selection)
  const owners = new Map(
    allRows(plan).flatMap((row) => (row.managedBy === undefined ? [] : [[row.type, row.managedBy]])),
  )
  const adoptions = new Map<string, Adoption>()
  const left: LeftOut[] = []
  for (const change of allChanges(plan)) {
    const why = whyLeft(change, wanted, owners.get(change.type))
    if (!wanted.has(change, change.action) || (why === null && change.cause === 'you')) continue
    const { type, key } = change
    const fields = fieldsOf(change, wanted)
    if (why !== null) left.push({ type, key, reason: why })
    else if (fields.length > 0 || change.action !== 'update')
      adoptions.set(recordId(change), adoptionOf(change, fields))
    if (why === null && change.action === 'update' && isReplaced(change.secret))
      left.push({ type, key, reason: SECRET })
  }
  for (const { type, key, field: name, before, after } of plan.drift ?? []) {
    if (!wanted.has({ type, key }, 'update') || !wanted.hasField(name)) continue
    const known = adoptions.get(recordId({ type, key })) ?? { type, key, action: 'change', fields: [], body: {} }
    if (name === recordType(type).secret) left.push({ type, key, reason: SECRET })
    else if (before === undefined || after === undefined) left.push({ type, key, reason: UNSEEN })
    else adoptions.set(recordId(known), { ...known, fields: [...known.fields, { name, live: after }] })
  }
  wanted.requireFound([...adoptions.values(), ...left], plan)
  if (adoptions.size > MOST_ADOPTED) {
    const message = `there are ${adoptions.size} changes to adopt, and one run adopts at most ${MOST_ADOPTED}; name the record types to begin with`
    throw new HoldfastError('LIMIT_EXCEEDED', message)
  }
  const gone = allChanges(plan).filter(({ action, cause }) => action === 'create' && cause === 'drift')
  return { adoptions: [...adoptions.values()], left, gone: new Set(gone.map(recordId)) }
}

function adoptionOf({ type, key, action, before, drift }: Change, fields: readonly AdoptedField[]): Adoption {
  const actions = { create: 'remove', delete: 'add', update: 'change', move: 'change' } as const
  const by = drift?.actor
  return { type, key, action: actions[action], fields, body: before ?? {}, ...(by !== undefined && { by }) }
}

/** Null if the change is adopted, or is not drift. */
function whyLeft({ action, cause, type, key }: Change, wanted: Wanted, owner: string | undefined): string | null {
  if (cause === 'you') return wanted.isNamed({ type, key }) ? 'only the files changed it' : null
  if (owner !== undefined) return `its record type belongs to ${owner}`
  if (action === 'move') return MOVED
  return cause === 'both' && !wanted.isNamed({ type, key }) ? BOTH : null
}

function fieldsOf({ type, before, after, action }: Change, wanted: Wanted): AdoptedField[] {
  if (action !== 'update') return []
  const names = changedFields(before, after).map((name) => (name.startsWith(METADATA_FIELD) ? METADATA_FIELD : name))
  const isWanted = (name: string) => wanted.hasField(name) && name !== recordType(type).secret
  return [...new Set(names)].filter(isWanted).map((name) => {
    const planned = after?.[name]
    return { name, live: before?.[name] ?? null, ...(planned !== undefined && { planned }) }
  })
}

interface Wanted {
  /** With fields, new and deleted records must be named. */
  has(record: RecordKey, action: Change['action']): boolean
  hasField(name: string): boolean
  /** Whether the user named this record, and not only its type. */
  isNamed(record: RecordKey): boolean
  requireFound(found: readonly RecordKey[], plan: Plan): void
}

function readSelection({ records, fields }: Selection): Wanted {
  const named = new Set<string>()
  const types = new Set<string>()
  for (const written of records) {
    const [, type = '', key] = /^([^/]*)(?:\/(.+))?$/s.exec(written) ?? []
    if (!isRecordTypeName(type)) {
      const message = `${JSON.stringify(written)} names no record: write type/key, or a type alone.`
      throw new HoldfastError('BAD_USER_INPUT', message + didYouMean(type, PLANNED_TYPE_NAMES))
    }
    if (key === undefined) types.add(type)
    else named.add(recordId({ type, key: comparedKey(recordType(type), key) }))
  }
  refuseUnknown(fields)
  const isNamed = (record: RecordKey) => named.has(recordId(record))
  return {
    isNamed,
    has: (record, action) =>
      isNamed(record) ||
      ((records.length === 0 || types.has(record.type)) && (fields.length === 0 || action === 'update')),
    hasField: (name) => fields.length === 0 || fields.includes(name),
    requireFound(found, plan) {
      const ids = new Set(found.map(recordId))
      const missing = [...named].find((id) => !ids.has(id))
      if (missing === undefined) return
      const message = `nobody has changed ${missing} on the platform since the last apply.`
      const others = [...allChanges(plan), ...(plan.drift ?? [])].map(recordId)
      throw new HoldfastError('NOT_FOUND', message + didYouMean(missing, others))
    },
  }
}

function refuseUnknown(fields: readonly string[]): void {
  const known = PLANNED_TYPES.flatMap(({ definition }) => fieldsInOrder(definition).map(({ name }) => name))
  const unknown = fields.find((field) => !known.includes(field))
  if (unknown === undefined) return
  const message = `${JSON.stringify(unknown)} is a field of no record type.`
  throw new HoldfastError('BAD_USER_INPUT', message + didYouMean(unknown, known))
}
