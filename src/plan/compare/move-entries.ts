import type { Snapshot } from '../../documents/snapshot.ts'
import type { Diagnostic } from '../../lib/diagnostic.ts'
import { didYouMean, MOST_GUESSES } from '../../lib/suggest.ts'
import type { RecordTypeName } from '../../records/record-type.ts'
import { IMPOSSIBLE_MOVE, leadsNowhere, MOVE_TO_ITSELF, moveText, type Move } from '../../records/settings.ts'
import type { LiveIndex, LiveState } from '../live-state.ts'
import { recordId } from '../../records/record-id.ts'
import { Chains } from './chains.ts'

/** An entry of `moved`, with its JSON Pointer in the settings. */
export interface MoveEntry extends Move {
  readonly pointer: string
}

interface MoveEntries {
  /** The entries to carry out. */
  readonly moves: readonly MoveEntry[]
  /** The entries that cannot be carried out because both their old and their new key exist on the platform. */
  readonly taken: readonly MoveEntry[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Sorts the entries of `moved` into entries to carry out, entries that are done or do nothing, and mistakes. */
export function readMoveEntries(
  moved: readonly Move[],
  snapshot: Snapshot,
  index: LiveIndex,
  { knows }: Pick<LiveState, 'knows'>,
): MoveEntries {
  const written = withoutRepeats(moved)
  const all = written.filter((entry) => !leadsNowhere(entry))
  const ends = endsOf(all)
  const diagnostics = [
    ...written.filter(leadsNowhere).map((entry) => impossible(entry, MOVE_TO_ITSELF)),
    ...all
      .filter((entry) => namesNothing(entry, index) && knows?.(entry.type) !== false)
      .flatMap((entry, at) => aboutNothing(entry, ends, snapshot, index, at < MOST_GUESSES)),
  ]
  const entries = all.filter(({ type, from }) => index.digests.get(type)?.has(from))
  const way = waysBy(ends, index)
  const ways = Map.groupBy(entries, way)
  for (const entry of ways.get('ring') ?? []) diagnostics.push(impossible(entry, IN_A_RING))
  const open = ways.get('free') ?? []
  const openEnds = endsOf(open)
  const lastKey = chainsByType((type) => (key) => ends.from(type, key)[0]?.to)
  const moves: MoveEntry[] = []
  for (const entry of open) {
    const problem = problemOf(entry, openEnds, snapshot, () => lastKey(entry.type).endOf(entry.to).key)
    if (problem === null) moves.push(entry)
    else diagnostics.push(impossible(entry, problem))
  }
  return { moves, taken: ways.get('taken') ?? [], diagnostics }
}

/** The entries by old key and by new key, so that many thousands of them need no search. */
interface Ends {
  from(type: RecordTypeName, key: string): readonly MoveEntry[]
  to(type: RecordTypeName, key: string): readonly MoveEntry[]
}

function endsOf(entries: readonly MoveEntry[]): Ends {
  const from = Map.groupBy(entries, (entry) => recordId({ type: entry.type, key: entry.from }))
  const to = Map.groupBy(entries, (entry) => recordId({ type: entry.type, key: entry.to }))
  return {
    from: (type, key) => from.get(recordId({ type, key })) ?? [],
    to: (type, key) => to.get(recordId({ type, key })) ?? [],
  }
}

const IN_A_RING = 'the entries form a ring; move one record to an unused key, apply, and then move it again'

function namesNothing({ type, from, to }: Move, index: LiveIndex): boolean {
  const live = index.digests.get(type)
  return live?.has(from) !== true && live?.has(to) !== true
}

/** An entry without either key is likely a typing error: unwarned, the record would be deleted and created anew. */
function aboutNothing(
  entry: MoveEntry,
  ends: Ends,
  snapshot: Snapshot,
  index: LiveIndex,
  guesses: boolean,
): Diagnostic[] {
  const { type, from, to } = entry
  const wanted = snapshot.get(type)?.records
  const leaving = (key: string) => wanted?.has(key) !== true && ends.from(type, key).length === 0
  const meant = guesses ? didYouMean(from, [...(index.digests.get(type)?.keys() ?? [])].filter(leaving)) : ''
  if (wanted?.has(to) !== true) {
    const guess = meant || didYouMean(to, guesses ? [...(wanted?.keys() ?? [])] : [])
    return [
      meaningless(
        entry,
        `neither key exists, on the platform or in the document; correct the entry or remove it.${guess}`,
      ),
    ]
  }
  // Nothing is lost if the record never existed, as on a new platform or in the middle of a chain of moves.
  if (meant === '' || ends.to(type, from).length > 0) return []
  return [meaningless(entry, `${from} is not on the platform, so ${to} is created.${meant}`)]
}

function meaningless(entry: MoveEntry, problem: string): Diagnostic {
  return { severity: 'warning', code: 'meaningless-move', message: moveText(entry, problem), pointer: entry.pointer }
}

/**
 * Tells whether the new key is free, or becomes free: in the chain a → b, b → c the record at b leaves first. If the
 * key stays taken, either the move is done, or another record has the key now. Neither record may be replaced.
 */
function waysBy(ends: Ends, index: LiveIndex): (move: Move) => 'free' | 'taken' | 'ring' {
  const chains = chainsByType((type) => (key) => {
    return index.digests.get(type)?.has(key) === true ? ends.from(type, key)[0]?.to : undefined
  })
  return ({ type, from, to }) => {
    const { key, circle } = chains(type).endOf(to)
    if (circle.size > 0) return circle.has(from) ? 'ring' : 'taken'
    return index.digests.get(type)?.has(key) === true ? 'taken' : 'free'
  }
}

function chainsByType(
  next: (type: RecordTypeName) => (key: string) => string | undefined,
): (type: RecordTypeName) => Chains {
  const made = new Map<RecordTypeName, Chains>()
  return (type) => {
    const chains = made.get(type) ?? new Chains(next(type))
    made.set(type, chains)
    return chains
  }
}

function problemOf(move: MoveEntry, open: Ends, snapshot: Snapshot, lastKey: () => string): string | null {
  const { type, from, to } = move
  const desired = snapshot.get(type)
  if (desired === undefined || desired.coverage === 'none') {
    return `${type} is not managed by this document, so its records cannot be renamed; remove the entry`
  }
  if (open.from(type, from).length > 1 || open.to(type, to).length > 1) {
    return 'another entry has the same from or the same to; keep one of them'
  }
  if (desired.records.has(from) && open.to(type, from).length === 0) {
    return `the document still describes ${type}/${from}; a move needs it under its new key only`
  }
  if (desired.records.has(to)) return null
  const end = lastKey()
  if (end !== to && desired.records.has(end)) {
    return `this platform has not seen ${to} yet, which another entry moves on to ${end}: write ${from} → ${end} here; the other entry may stay`
  }
  return `the document does not describe ${type}/${to}; a move needs the record under its new key`
}

/** Keeps the first of several equal entries. */
function withoutRepeats(moved: readonly Move[]): MoveEntry[] {
  const entries = new Map<string, MoveEntry>()
  for (const [index, { type, from, to }] of moved.entries()) {
    const said = JSON.stringify([type, from, to])
    if (!entries.has(said)) entries.set(said, { type, from, to, pointer: `/moved/${index}` })
  }
  return [...entries.values()]
}

function impossible(entry: MoveEntry, problem: string): Diagnostic {
  return { severity: 'error', code: IMPOSSIBLE_MOVE, message: moveText(entry, problem), pointer: entry.pointer }
}
