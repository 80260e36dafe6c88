import type { Right } from '../auth/scopes.ts'
import type { Diagnostic } from '../lib/diagnostic.ts'
import { parseJson } from '../lib/json.ts'
import { ACCESS, type RecordKey, type RecordTypeName } from '../records/record-type.ts'
import { referencesOf } from '../records/references.ts'
import { PERSON_TYPES, recordType } from '../records/registry.ts'
import { namesUnknown } from '../records/types/granted.ts'
import { LOOKS_LIKE_MOVE } from './compare/likely-moves.ts'
import { HELD_METADATA_VALUE } from './findings/held-metadata.ts'
import { MOVE_IN_VAIN } from './findings/settings-findings.ts'
import {
  allChanges,
  type AccessPlan,
  type Change,
  type FieldDrift,
  type OwnPart,
  type Plan,
  type WaitingRecord,
  type Withheld,
} from './plan.ts'

// A plan has the same content and digest for all readers. How much of the platform it shows depends on the rights of
// the reader: the token of a pull request may plan, and must not be able to list the addresses of all people.

export interface Reader {
  /** Whether the reader may read the data model on the platform. */
  readonly readsModel: boolean
  /** Whether the reader may read systems, components, events and their data. */
  readonly readsData: boolean
}

export function readerOf({ rights }: { readonly rights: ReadonlySet<Right> }): Reader {
  return { readsModel: rights.has('model:read'), readsData: rights.has('data:read') }
}

/** Answers about records of people and programs. */
interface Persons {
  /** Tells whether the document describes the record. */
  isNamed(person: RecordKey): boolean
  /** Tells whether the record exists on the platform. */
  lives(person: RecordKey): boolean
}

export function withhold(plan: Plan, { readsModel, readsData }: Reader, persons: Persons): Plan {
  const shown = readsData ? plan : withoutValues(plan)
  return readsModel ? shown : withoutPersons(shown, persons)
}

/** Replaces stored values by their number, for readers without the right to read data. */
function withoutValues(plan: Plan): Plan {
  return { ...plan, changes: plan.changes.map(withoutExamples), diagnostics: countHeldValues(plan.diagnostics) }
}

function withoutExamples(change: Change): Change {
  if (change.guards.every(({ examples }) => examples === undefined)) return change
  const guards = change.guards.map(({ code, acknowledged, message }) => ({ code, acknowledged, message }))
  return { ...change, guards }
}

type IsHidden = (record: RecordKey) => boolean

function withoutPersons(plan: Plan, persons: Persons): Plan {
  const { isNamed } = persons
  const isHidden = (record: RecordKey) => isPersonUnnamed(record, persons) || isGrantUnnamed(record, persons)
  const isNamedActor = (key: string) => PERSON_TYPES.some((type) => isNamed({ type, key }))
  const show = (changes: readonly Change[]) =>
    changes
      .filter((change) => !concerns(change, isHidden))
      .map((change) => withoutReferrers(withoutActor(change, isNamedActor), isHidden))
  const withheld = allChanges(plan).filter((change) => concerns(change, isHidden))
  return {
    ...plan,
    changes: show(plan.changes),
    access: withoutPeople({ ...plan.access, changes: show(plan.access.changes) }, isHidden),
    references: plan.references.filter((reference) => !isHidden(reference)),
    diagnostics: plan.diagnostics
      .filter((diagnostic) => !isMoveOfPerson(diagnostic))
      .map((diagnostic) => withoutNamesIn(withoutFate(diagnostic), isHidden)),
    ...(plan.drift !== undefined && { drift: plan.drift.filter((field) => !isHidden(field)).map(namesAlone) }),
    ...(withheld.length > 0 && { withheld: countByTypeAndAction(withheld) }),
    ...(plan.own && { own: withoutNames(plan.own, isHidden) }),
  }
}

function isPersonUnnamed(record: RecordKey, { isNamed, lives }: Persons): boolean {
  return PERSON_TYPES.includes(record.type) && lives(record) && !isNamed(record)
}

/** A grant is hidden whether or not the people whom it names have ever signed in. */
function isGrantUnnamed({ type, key }: RecordKey, { isNamed }: Persons): boolean {
  const isKnown = (record: RecordKey) => !PERSON_TYPES.includes(record.type) || isNamed(record)
  return type === ACCESS && !isNamed({ type, key }) && namesUnknown(key, isKnown)
}

/** Leaves out the waiting changes that the reader may not see, and keeps their number. */
function withoutNames(own: OwnPart, isHidden: IsHidden): OwnPart {
  const isShown = ({ type, key, from = key }: Pick<WaitingRecord, 'type' | 'key' | 'from'>) =>
    type !== ACCESS && !isHidden({ type, key: from })
  const { waiting, waitsFor } = own
  return {
    ...own,
    waiting: { ...waiting, records: waiting.records.filter(isShown) },
    waitsFor: waitsFor.filter(isShown),
  }
}

/** Tells whether a change concerns somebody whom the document does not name, or a grant to such a person. */
function concerns({ type, key, from = key, before, after }: Change, isHidden: IsHidden): boolean {
  if (isHidden({ type, key: from })) return true
  const grant = type === ACCESS ? (after ?? before) : null
  return grant !== null && referencesOf(recordType(type), key, grant).some(isHidden)
}

function countByTypeAndAction(changes: readonly Change[]): Withheld[] {
  const groups = Map.groupBy(changes, ({ type, action }) => `${type} ${action}`)
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const stopped = group.filter(({ guards }) => guards.some(({ acknowledged }) => !acknowledged)).length
    return [{ type: first.type, action: first.action, count: group.length, stopped }]
  })
}

function withoutActor(change: Change, isNamedActor: (name: string) => boolean): Change {
  const { drift } = change
  return drift === undefined || isNamedActor(drift.actor)
    ? change
    : { ...change, drift: { ...drift, actor: NOT_SHOWN } }
}

/** Keeps which field changed and when, without its values and the author. The document names the record anyway. */
function namesAlone({ type, key, field, at }: FieldDrift): FieldDrift {
  return { type, key, field, ...(at !== undefined && { at }) }
}

/** Tells whether a finding names both the deleted and the created person. */
function isMoveOfPerson({ code, pointer }: Diagnostic): boolean {
  return code === LOOKS_LIKE_MOVE && PERSON_TYPES.some((type) => pointer.startsWith(`/${type}`))
}

/** Leaves out the things that are deleted together with a person. */
function withoutFate(diagnostic: Diagnostic): Diagnostic {
  const { code, message } = diagnostic
  const isOfPerson = code === MOVE_IN_VAIN && PERSON_TYPES.some((type) => message.startsWith(`moved ${type}:`))
  return isOfPerson ? { ...diagnostic, message: message.slice(0, message.indexOf(';')) } : diagnostic
}

/** Removes the people whom the reader may not know from the access diff, and keeps their number. */
function withoutPeople({ diff, ...access }: AccessPlan, isHidden: IsHidden): AccessPlan {
  if (diff === undefined) return access
  const shown = diff.changes.filter(
    ({ type, key, because }) => !because.some(isHidden) && (key === undefined || !isHidden({ type, key })),
  )
  const withheld = diff.changes.filter((one) => !shown.includes(one)).reduce((sum, { count = 1 }) => sum + count, 0)
  return { ...access, diff: { ...diff, changes: shown, ...(withheld > 0 && { withheld }) } }
}

function withoutReferrers(change: Change, isHidden: IsHidden): Change {
  const { referrers } = change
  return referrers?.some(isHidden) === true
    ? { ...change, referrers: referrers.filter((referrer) => !isHidden(referrer)) }
    : change
}

/** Stands for a name that the reader may not see. */
const NOT_SHOWN = '…'

/** A quotation may also end at the end of the text. Otherwise the search would begin again at each quotation mark. */
const QUOTED = /"(?:[^"\\]|\\[^])*(?:"|\\?$)/g
/** Matches a record as findings name it, up to the words that continue the sentence, or to the end, as above. */
const NAMED = new RegExp(`\\b(${PERSON_TYPES.join('|')})/(.+?)(?=, | and | refers? | is | cannot |[;:)]|$)`, 'gs')

function withoutNamesIn(diagnostic: Diagnostic, isHidden: IsHidden): Diagnostic {
  const quotes = (text: string) => (PERSON_TYPES.some((type) => isHidden({ type, key: parse(text) })) ? '"…"' : text)
  const message = diagnostic.message
    .replaceAll(NAMED, (text, type: RecordTypeName, key: string) => (isHidden({ type, key }) ? `${type}/…` : text))
    .replaceAll(QUOTED, quotes)
  if (message === diagnostic.message) return diagnostic
  return { ...diagnostic, message: METADATA_VALUE.includes(diagnostic.code) ? VALUE_OF_PERSON : message }
}

/** The codes of findings that show a value. Such a value is as private as the name of the person. */
const METADATA_VALUE = ['metadata-value', 'metadata-not-unique']
const VALUE_OF_PERSON =
  'a metadata value of somebody whom the document does not name would not fit; a token that may read the data model sees which one'

function parse(quoted: string): string {
  try {
    return String(parseJson(quoted))
  } catch {
    return ''
  }
}

/** Replaces findings about metadata of systems, components and events by a number, for readers without that right. */
export function countHeldValues(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const held = diagnostics.filter(({ code }) => code === HELD_METADATA_VALUE)
  if (held.length === 0) return diagnostics
  const byPlace = [...Map.groupBy(held, ({ pointer }) => pointer).values()]
  const counts = byPlace.flatMap(([first, ...others]) => {
    if (first === undefined) return []
    const count = others.length + 1
    const message = `${count} value${count === 1 ? '' : 's'} in the metadata of systems, components or events would not fit; a token that may read data sees which ones`
    return [{ ...first, message }]
  })
  return [...diagnostics.filter(({ code }) => code !== HELD_METADATA_VALUE), ...counts]
}
