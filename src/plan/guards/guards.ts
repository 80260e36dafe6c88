import type { Acknowledgement, Settings } from '../../records/settings.ts'
import { ACCESS, type RecordKey } from '../../records/record-type.ts'
import { isReserved } from '../../records/reserved.ts'
import { dataGuards } from './data-guards.ts'
import type { LiveIndex } from '../live-state.ts'
import { recordId } from '../../records/record-id.ts'
import type { BareScopeRow } from '../scope.ts'
import type { DataAnswer } from './stored-data.ts'
import type { Change, Guard, GuardCode, Impact, ScopeRow } from '../plan.ts'

type BareChange = Omit<Change, 'guards' | 'impact'>

/**
 * The number of deletions of a type in total, and of those that happen because the document does not list the record.
 */
export interface Deletes {
  readonly total: number
  readonly asked: number
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
  readonly #areFirstGrants: boolean

  constructor(settings: Settings, { managed }: Pick<LiveIndex, 'managed'>) {
    this.#settings = settings
    this.#areFirstGrants = !managed.has(ACCESS)
    this.#protected = new Set(settings.protect.map(recordId))
  }

  /** `answer` is what the stored data says, and `widening` tells who could do more after the change. */
  forChange(
    change: BareChange,
    impact: Impact,
    answer: DataAnswer | undefined,
    widening: string | undefined,
  ): readonly Guard[] {
    const { type, key } = change
    if (change.action === 'create' && widening === undefined) return NONE
    const guards: Guard[] = []
    const add = (code: GuardCode, message: string, examples?: Guard['examples']) =>
      guards.push({ ...this.#guard(code, type, key, message), ...(examples !== undefined && { examples }) })
    for (const { code, message, examples } of dataGuards(change, impact, answer)) add(code, message, examples)
    if (change.action === 'delete' && this.#protected.has(recordId(change))) {
      add('protected', 'holdfast.yaml protects this record from being deleted')
    }
    if (leavesReserved(change)) add('protected', LEAVES_RESERVED)
    if (widening !== undefined) add('widens-access', widening)
    return guards
  }

  /** Tells whether a guard of this code on the record would stop an apply. */
  isOpen({ type, key }: RecordKey, code: GuardCode): boolean {
    return this.#acknowledging(code, type, key).length === 0
  }

  forScope(row: BareScopeRow, deletes: Deletes): Guard[] {
    const { type, state } = row
    const stopping: [GuardCode, string | null][] = [
      ['leaves-scope', state === 'released' ? leavesScopeMessage(row) : null],
      ['empties-type', state === 'emptied' ? emptiesTypeMessage(type, deletes.asked) : null],
      ['takes-over', takesOver(row) ? takesOverMessage(type, deletes.asked) : null],
      ['mass-delete', massDeleteMessage(row, deletes.total)],
    ]
    return stopping.flatMap(([code, message]) =>
      message === null ? [] : [this.#guard(code, type, undefined, message)],
    )
  }

  /** The acknowledgements that matched no guard. */
  unused(): UnusedAcknowledgement[] {
    return this.#settings.acknowledge.flatMap((acknowledgement, index) =>
      this.#used.has(acknowledgement) ? [] : [{ ...acknowledgement, pointer: `/acknowledge/${index}` }],
    )
  }

  #guard(code: GuardCode, type: ScopeRow['type'], key: string | undefined, message: string): Guard {
    const matching = this.#acknowledging(code, type, key)
    for (const acknowledgement of matching) this.#used.add(acknowledgement)
    return { code, acknowledged: matching.length > 0, message }
  }

  #acknowledging(code: GuardCode, type: ScopeRow['type'], key: string | undefined): Acknowledgement[] {
    return this.#settings.acknowledge.filter((one) => acknowledges(one, { code, type, key }, this.#areFirstGrants))
  }
}

/**
 * Tells whether a record leaves a reserved key. Only a record that got the key before documents were refused it can
 * do so.
 */
function leavesReserved({ type, key, action, from = key }: BareChange): boolean {
  return (action === 'delete' || action === 'move') && isReserved({ type, key: from })
}

const LEAVES_RESERVED =
  'the platform signs in with this key: those who use it are locked out, and at its next start the platform makes its own record again, with another secret'

/**
 * An acknowledgement of `widens-access` without a key covers all grants, but only while grants are managed for the
 * first time.
 */
export function acknowledges(
  one: Acknowledgement,
  { code, type, key }: { code: GuardCode; type: ScopeRow['type']; key: string | undefined },
  areFirstGrants: boolean,
): boolean {
  if (one.code !== code || one.type !== type) return false
  return one.key === key || (one.key === undefined && code === 'widens-access' && type === ACCESS && areFirstGrants)
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
  const stays = `${actual === 1 ? '1 record stays' : `${actual} records stay`} behind on the platform and will not be looked after`
  if (type === ACCESS)
    return `the last apply managed grants, holdfast.yaml does not: ${stays}; write \`access: []\` to take them back instead`
  return owners === undefined
    ? `the last apply managed ${type}, this document does not: ${stays}; write \`${type}: []\` to delete them instead`
    : `the last apply managed all ${type}, this document only those of ${owners} owners: the others stay behind`
}

function namesOf(type: ScopeRow['type']): string {
  return type === ACCESS ? 'grants' : type
}
