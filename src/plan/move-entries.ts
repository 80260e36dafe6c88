import type { Snapshot } from '../documents/snapshot.ts'
import type { Diagnostic } from '../lib/diagnostic.ts'
import type { Move } from '../records/settings.ts'
import type { LiveIndex } from './live-state.ts'

export interface MoveEntries {
  /** What has something to do and can be done. */
  readonly moves: readonly Move[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Sorts the entries of `moved` into those that are done or have nothing to do, those to do, and mistakes. */
export function readMoveEntries(moved: readonly Move[], snapshot: Snapshot, index: LiveIndex): MoveEntries {
  const all = withoutRepeats(moved)
  const entries = all.filter(({ type, from }) => index.digests.get(type)?.has(from))
  const moves: Move[] = []
  const diagnostics = all.filter((move) => namesNothing(move, snapshot, index)).map(meaningless)
  const open = entries.filter((move) => {
    const way = wayOf(move, entries, index)
    if (way === 'ring') diagnostics.push(impossible(move, IN_A_RING))
    return way === 'free'
  })
  for (const move of open) {
    const problem = problemOf(move, open, snapshot)
    if (problem === null) moves.push(move)
    else diagnostics.push(impossible(move, problem))
  }
  return { moves, diagnostics }
}

/** Neither done nor to do: most likely a slip of the pen, and then the record would be deleted and made anew. */
function namesNothing({ type, from, to }: Move, snapshot: Snapshot, index: LiveIndex): boolean {
  const live = index.digests.get(type)
  return live?.has(from) !== true && live?.has(to) !== true && snapshot.get(type)?.records.has(to) !== true
}

function meaningless({ type, from, to }: Move): Diagnostic {
  const message = `moved ${type}: ${from} → ${to}: neither key exists, on the platform or in the document; correct the entry or remove it`
  return { severity: 'warning', code: 'meaningless-move', message, pointer: '' }
}

const IN_A_RING =
  'the entries form a ring, and nobody could tell later whether it is done; move one of the records to a key that is free, apply, and then move it on'

/**
 * Whether the new key is free, or about to be: in a chain a → b, b → c the record at b leaves first. A key that stays
 * taken means that the move is done, or that another record lives there now; neither may be pushed aside.
 */
function wayOf(move: Move, entries: readonly Move[], index: LiveIndex): 'free' | 'taken' | 'ring' {
  const seen = new Set([move.from])
  for (let { to } = move; index.digests.get(move.type)?.has(to);) {
    if (seen.has(to)) return to === move.from ? 'ring' : 'taken'
    seen.add(to)
    const next = entries.find(({ type, from }) => type === move.type && from === to)
    if (next === undefined) return 'taken'
    to = next.to
  }
  return 'free'
}

function problemOf(move: Move, open: readonly Move[], snapshot: Snapshot): string | null {
  const { type, from, to } = move
  const desired = snapshot.get(type)
  if (desired === undefined || desired.coverage === 'none') {
    return `${type} is not managed by this document, so nothing of it can be renamed; remove the entry`
  }
  const others = open.filter((other) => other !== move && other.type === type)
  if (others.some((other) => other.from === from || other.to === to)) {
    return 'another entry has the same from or the same to; keep one of them'
  }
  if (desired.records.has(from) && !others.some((other) => other.to === from)) {
    return `the document still describes ${type}/${from}; a move needs it under its new key only`
  }
  if (desired.records.has(to)) return null
  return `the document does not describe ${type}/${to}; a move needs the record under its new key`
}

function withoutRepeats(moved: readonly Move[]): Move[] {
  return [...new Map(moved.map((move) => [JSON.stringify([move.type, move.from, move.to]), move])).values()]
}

function impossible({ type, from, to }: Move, problem: string): Diagnostic {
  return {
    severity: 'error',
    code: 'impossible-move',
    message: `moved ${type}: ${from} → ${to}: ${problem}`,
    pointer: '',
  }
}
