import type { Acknowledgement, Settings } from '../../records/settings.ts'
import { counted } from '../../lib/counted.ts'
import { ACCESS, type RecordKey } from '../../records/record-type.ts'
import { isReserved } from '../../records/reserved.ts'
import { dataGuards } from './data-guards.ts'
import type { LiveIndex, OtherOwner } from '../live-state.ts'
import { recordId } from '../../records/record-id.ts'
import type { BareScopeRow } from '../scope.ts'
import type { DataAnswer } from './stored-data.ts'
import type { AccessDiff, Change, Guard, GuardCode, Impact, ScopeRow } from '../plan.ts'

type BareChange = Omit<Change, 'guards' | 'impact'>

/** The number of deletions of a type in total, and of those that happen because the document does not list them. */
interface Deletes {
  readonly total: number
  readonly asked: number
  /** The number of all changes of the type. */
  readonly changes: number
}

export interface UnusedAcknowledgement extends Acknowledgement {
  /** The JSON Pointer of the entry in the settings. */
  readonly pointer: string
}

/** A plain creation has no guards: it has no data and no protection to lose. */
const NONE: readonly Guard[] = []

/** Decides which guards stop which changes, and which guards are acknowledged. */
export class Guards {
  readonly #settings: Settings
  readonly #protected: ReadonlySet<string>
  readonly #used = new Set<Acknowledgement>()
  readonly #others: ReadonlyMap<RecordKey['type'], OtherOwner>
  readonly #given: ReturnType<typeof acknowledging>
  readonly #isNew: ReturnType<typeof isNew>

  /** `spent` are the acknowledgements of the base. They were given for other changes, so they do not count again. */
  constructor(
    settings: Settings,
    { others = new Map() }: Pick<LiveIndex, 'others'>,
    spent: readonly Acknowledgement[] = [],
  ) {
    this.#settings = settings
    this.#given = acknowledging(settings.acknowledge)
    this.#isNew = isNew(spent)
    this.#others = others
    this.#protected = new Set(settings.protect.map(recordId))
  }

  /** `answer` is the answer of the stored data. `overwritten` are the later changes that a rollback would overwrite. */
  forChange(
    change: BareChange,
    impact: Impact,
    answer: DataAnswer | undefined,
    overwritten?: string,
  ): readonly Guard[] {
    const { type, key } = change
    if (change.action === 'create') return NONE
    const guards: Guard[] = []
    const add = (code: GuardCode, message: string, examples?: Guard['examples']) =>
      guards.push({ ...this.#guard({ code, type, key }, message), ...(examples !== undefined && { examples }) })
    for (const { code, message, examples } of dataGuards(change, impact, answer)) add(code, message, examples)
    if (change.action === 'delete' && this.#protected.has(recordId(change))) {
      add('protected', 'holdfast.yaml protects this record from being deleted')
    }
    if (leavesReserved(change)) add('protected', LEAVES_RESERVED)
    if (overwritten !== undefined) add('overwrites-later', overwritten)
    return guards
  }

  /** Tells whether a guard of this code on the record would stop an apply. */
  isOpen({ type, key }: RecordKey, code: GuardCode): boolean {
    return !this.#given({ code, type, key }).some(this.#isNew)
  }

  forScope(row: BareScopeRow, deletes: Deletes): Guard[] {
    const { type, state } = row
    const stopping: [GuardCode, string | null][] = [
      ['leaves-scope', state === 'released' ? leavesScopeMessage(row) : null],
      ['takes-ownership', takesOwnershipMessage(row, deletes, this.#others.get(type))],
      ['empties-type', state === 'emptied' ? emptiesTypeMessage(type, deletes.asked) : null],
      ['takes-over', takesOver(row) ? takesOverMessage(type, deletes.asked) : null],
      ['mass-delete', massDeleteMessage(row, deletes.total)],
    ]
    return stopping.flatMap(([code, message]) => (message === null ? [] : [this.#guard({ code, type }, message)]))
  }

  /** The guard on all changes together, if somebody could do more after them. */
  forAccess(diff: AccessDiff | null): Guard[] {
    if (diff?.digest === undefined) return []
    return [this.#guard({ code: 'widens-access', type: ACCESS, digest: diff.digest }, wideningMessage(diff))]
  }

  /** The acknowledgements that matched no guard. */
  unused(): UnusedAcknowledgement[] {
    return this.#settings.acknowledge.flatMap((acknowledgement, index) =>
      this.#used.has(acknowledgement) ? [] : [{ ...acknowledgement, pointer: `/acknowledge/${index}` }],
    )
  }

  #guard(guarded: Guarded, message: string): Guard {
    const matching = this.#given(guarded)
    for (const acknowledgement of matching) this.#used.add(acknowledgement)
    const acknowledged = matching.some(this.#isNew)
    const isSpent = matching.length > 0 && !acknowledged
    return { code: guarded.code, acknowledged, message: isSpent ? `${message}; ${SPENT}` : message }
  }
}

const SPENT =
  'the entry of holdfast.yaml is older than this change and does not cover it: give it a new reason, or add another entry'

/** Makes the test whether an acknowledgement is new: `others` does not have it with the same reason. */
export function isNew(others: readonly Acknowledgement[]): (one: Acknowledgement) => boolean {
  const known = new Set(others.map((other) => guardId(other) + JSON.stringify(other.reason)))
  return (one) => !known.has(guardId(one) + JSON.stringify(one.reason))
}

/** Tells whether a record leaves a reserved key, which it got before documents were forbidden to use it. */
function leavesReserved({ type, key, action, from = key }: BareChange): boolean {
  return (action === 'delete' || action === 'move') && isReserved({ type, key: from })
}

const LEAVES_RESERVED =
  'the platform signs in with this key: its users are locked out, and the next start creates the record again, with another secret'

/** Finds the acknowledgements of a guard among many thousands. */
export function acknowledging(given: readonly Acknowledgement[]): (guarded: Guarded) => readonly Acknowledgement[] {
  const byGuard = Map.groupBy(given, guardId)
  return (guarded) => byGuard.get(guardId(guarded)) ?? []
}

/** The id of a guard. That of `widens-access` has the digest of the access diff, so it covers only this diff. */
export function guardId({ code, type, key, digest }: Omit<Guarded, 'code'> & { readonly code: string }): string {
  return JSON.stringify([code, type, key, digest])
}

/** The subject of a guard. */
interface Guarded {
  readonly code: GuardCode
  readonly type: ScopeRow['type']
  /** Undefined for a record type as a whole. */
  readonly key?: string | undefined
  /** The digest of the access diff; only for `widens-access`. */
  readonly digest?: string | undefined
}

function wideningMessage({ changes }: AccessDiff): string {
  const gaining = changes.filter(({ gains }) => gains.length > 0)
  const count = gaining.reduce((sum, { count: alike = 1 }) => sum + alike, 0)
  const who = `${counted(count, 'account, application or group', 'accounts, applications or groups')} of people`
  return `${who} could do more than before, or would be controlled by other means`
}

function takesOver({ state, previously, owners }: BareScopeRow): boolean {
  const isWider = previously === null || (previously === 'partial' && owners === undefined)
  return isWider && (state === 'managed' || state === 'emptied')
}

function emptiesTypeMessage(type: ScopeRow['type'], deletes: number): string | null {
  if (deletes === 0) return null
  return `${type === ACCESS ? 'holdfast.yaml lists no grants' : `the document lists no ${type}`}: ${deletes === 1 ? 'the only one' : `all ${deletes}`} would be deleted`
}

function takesOverMessage(type: ScopeRow['type'], deletes: number): string | null {
  if (deletes === 0) return null
  const losing =
    deletes === 1 ? '1 of them is not in the document: it' : `${deletes} of them are not in the document: they`
  return `no apply has managed all ${namesOf(type)} before, and ${losing} would be deleted`
}

function massDeleteMessage({ type, actual }: BareScopeRow, deletes: number): string | null {
  const most = Math.max(5, Math.floor(2 * Math.sqrt(actual)))
  if (deletes <= most) return null
  return `${deletes} of ${actual} ${namesOf(type)} would be deleted; more than ${most} at once needs a second look`
}

function leavesScopeMessage({ type, actual, owners }: BareScopeRow): string {
  if (owners !== undefined)
    return `this document manages only the ${type} of ${counted(owners, 'owner')}; the others are no longer managed`
  const stay = `${counted(actual, type === ACCESS ? 'grant' : 'record')} ${actual === 1 ? 'stays' : 'stay'} behind`
  return `${stay}; to ${type === ACCESS ? 'revoke them' : 'delete them'}, write \`${type}: []\``
}

/** If a local plan or a rollback changes nothing of a type, it does not conflict with the owner of the type. */
function takesOwnershipMessage(
  { type, state }: BareScopeRow,
  { changes }: Deletes,
  other: OtherOwner | undefined,
): string | null {
  if (other === undefined || other.isOpen || (state === 'unmanaged' && other.by !== 'rollback')) return null
  const belong = `${namesOf(type)} belong to ${other.name}`
  if (other.by === 'owner')
    return `${belong}: leave them out here, or take them over with this acknowledgement and leave them out there`
  if (changes === 0) return null
  if (other.by === 'rollback')
    return `${belong}, and this rollback has no token of that owner: the owner keeps them, and sees these changes as drift until its models are reverted, too`
  return `${belong}, and this apply has no token of that owner: the owner keeps them, and sees these changes as drift`
}

function namesOf(type: ScopeRow['type']): string {
  return type === ACCESS ? 'grants' : type
}
