import type { Snapshot } from '../../documents/snapshot.ts'
import type { Diagnostic } from '../../lib/diagnostic.ts'
import { didYouMean, MOST_GUESSES } from '../../lib/suggest.ts'
import { ACCESS, type RecordTypeName } from '../../records/record-type.ts'
import type { Acknowledgement, Settings } from '../../records/settings.ts'
import type { Deletion } from '../compare/deletions.ts'
import type { UnusedAcknowledgement } from '../guards/guards.ts'
import { countsOf } from '../impact-text.ts'
import type { LiveIndex, LiveState } from '../live-state.ts'
import { recordId } from '../../records/record-id.ts'
import type { MoveEntry } from '../compare/move-entries.ts'
import type { Change } from '../plan.ts'

// These findings are about entries of the settings that do nothing. A protection without effect must not look like
// one that works.

const UNMATCHED_PROTECTION = 'unmatched-protection'
const UNUSED_ACKNOWLEDGEMENT = 'unused-acknowledgement'
export const MOVE_IN_VAIN = 'move-in-vain'

/**
 * Tells whether a finding is only about the settings that a plan was made with. A rollback drops such findings,
 * because its settings belong to another document.
 */
export function isAboutSettings({ code }: Diagnostic): boolean {
  return code === UNMATCHED_PROTECTION || code === UNUSED_ACKNOWLEDGEMENT
}

/** Warns about protections of records that exist neither on the platform nor in the document. */
export function unmatchedProtections(
  { protect }: Settings,
  snapshot: Snapshot,
  index: LiveIndex,
  live: Pick<LiveState, 'knows'>,
): Diagnostic[] {
  const keysOf = (type: RecordTypeName) => [index.digests.get(type), snapshot.get(type)?.records]
  const unmatched = protect
    .map((entry, at) => ({ ...entry, pointer: `/protect/${at}` }))
    .filter(({ type, key }) => live.knows?.(type) !== false && !keysOf(type).some((keys) => keys?.has(key)))
  return unmatched.map(({ type, key, pointer }, at) => {
    const known = at < MOST_GUESSES ? keysOf(type).flatMap((keys) => [...(keys?.keys() ?? [])]) : []
    const message = `nothing is protected: there is no ${recordId({ type, key })}, on the platform or in the document; correct the entry or remove it.${didYouMean(key, known)}`
    return { severity: 'warning', code: UNMATCHED_PROTECTION, message, pointer }
  })
}

/** Warns about acknowledgements that stop no guard any more. It searches `changes` for the probably meant record. */
export function unusedAcknowledgements(
  unused: readonly UnusedAcknowledgement[],
  changes: readonly Change[],
): Diagnostic[] {
  return unused.map((entry, at) => {
    const { code, type, key, pointer } = entry
    const about = key === undefined ? type : recordId({ type, key })
    const guess = at < MOST_GUESSES ? meantBy(entry, changes) : ''
    const message = `the acknowledgement of ${code} for ${about} stops nothing any more; remove it${guess && `.${guess}`}`
    return { severity: 'warning', code: UNUSED_ACKNOWLEDGEMENT, message, pointer }
  })
}

/** Gives no guesses about grants, because their keys name people whom the reader may not be allowed to know. */
function meantBy({ code, type, key }: Acknowledgement, changes: readonly Change[]): string {
  if (key === undefined || type === ACCESS) return ''
  const stopped = changes.filter((change) => change.type === type && hasOpenGuard(change, code))
  return didYouMean(
    key,
    stopped.map((change) => change.key),
  )
}

function hasOpenGuard({ guards }: Change, wanted: string): boolean {
  return guards.some(({ code, acknowledged }) => code === wanted && !acknowledged)
}

/** Warns about moves to a key that another record has, and says what happens to the record at the old key. */
export function movesInVain(
  taken: readonly MoveEntry[],
  deletions: readonly Deletion[],
  changes: readonly Change[],
): Diagnostic[] {
  if (taken.length === 0) return []
  const deleted = new Map(
    changes.filter(({ action }) => action === 'delete').map((change) => [recordId(change), change]),
  )
  const owned = Map.groupBy(deletions, ({ owner }) => owner && recordId(owner))
  return taken.map(({ type, from, to, pointer }) => {
    const change = deleted.get(recordId({ type, key: from }))
    const fate =
      change === undefined
        ? 'remove the entry'
        : `${from} is deleted${whatGoes(change, owned.get(recordId(change)) ?? [])}; if ${from} is to become ${to}, delete ${to} first, apply, and then move it`
    const message = `moved ${type}: ${from} → ${to}: both are on the platform, so nothing is moved; ${fate}`
    return { severity: 'warning', code: MOVE_IN_VAIN, message, pointer }
  })
}

/** `, with its metadata and 2 characteristicServiceLinks; 1,204 datapoints hang on it` */
function whatGoes({ before, impact }: Change, owned: readonly Deletion[]): string {
  const counts = [...Map.groupBy(owned, (one) => one.type)].map(([name, list]) => `${list.length} ${name}`)
  const parts = [...(before !== null && 'metadataKeyValueStore' in before ? ['its metadata'] : []), ...counts]
  const data = countsOf(impact)
  return `${parts.length === 0 ? '' : `, with ${parts.join(' and ')}`}${data === '' ? '' : `, and ${data} with it`}`
}
