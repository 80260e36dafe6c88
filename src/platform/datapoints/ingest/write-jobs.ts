import type { Database } from '../../../db/sql.ts'
import { joinPoints, type PointColumns } from '../../../datapoints/chunks/flush.ts'
import { packFlush, type PackedFlush } from '../../../datapoints/segments/packed-flush.ts'
import {
  drawTicket,
  modelOf,
  storeFlush,
  type Draw,
  type KeyedBatch,
  type Ticket,
  type UnsentFlush,
  type Versions,
} from '../../../store/datapoints/arriving/hot-rows.ts'
import { noteDomains } from '../../../store/datapoints/arriving/domains-of-buffers.ts'
import { partsOf } from '../../../store/model/model-versions.ts'
import { noteFlush, type FilledBuffer } from '../folding/hot-buffers.ts'

/**
 * The result of a commit: a flush with this number wrote the points; or the rules by which they were checked have
 * changed since, or the database was restored from a backup (`stale`); or rights were changed since the sender was
 * looked up, perhaps the sender's (`outdated`); or a batch with the same Idempotency-Key was stored before (`known`).
 */
export type Commit = { readonly generation: number } | 'stale' | 'outdated' | 'known'

/** A job is tried again while the model of its domain is being changed, or a batch with its key is being stored. */
export type Outcome = Commit | Waiting
type Waiting = 'model locked' | 'key locked'

/** The versions of model and access by which the points were checked, and the database of these versions. */
export interface CheckedBy {
  readonly modelVersion: number
  /** The identity of the database and the node in which the series have these numbers. */
  readonly identity: string
  /** Null for a sender whose rights cannot be revoked. */
  readonly accessVersion: number | null
}

export interface Job extends CheckedBy {
  readonly domainId: number
  readonly points: PointColumns
  /** The number of characters of its texts. */
  readonly characters: number
  readonly keyed: KeyedBatch | undefined
  /** The identity of the Idempotency-Key of the batch; null if it has none. */
  readonly key: string | null
  /** The time when the batch was added, in milliseconds of the process. */
  readonly since: number
  resolve(commit: Commit): void
  reject(error: unknown): void
}

/** The outcomes of the jobs of a flush. */
interface WrittenJobs {
  readonly outcomes: ReadonlyMap<Job, Outcome>
  /** The present versions of their domains. */
  readonly versions: ReadonlyMap<number, Versions>
  /** The number of points that were stored. */
  readonly points: number
}

export const databaseOf = ({ identity }: Job): string => partsOf(identity).database

/** Writes jobs to a buffer as one flush. `identity` is the identity of their database. */
export async function writeJobs(
  database: Database,
  identity: string,
  filled: FilledBuffer,
  jobs: readonly Job[],
): Promise<WrittenJobs> {
  const byDomain = [...Map.groupBy(jobs, ({ domainId }) => domainId)].sort(([a], [b]) => a - b)
  const flush = packFlush(new Map(byDomain.map(([id, own]) => [id, joinPoints(own.map(({ points }) => points))])))
  const draw = await drawAndStore(database, identity, filled, {
    ...flush,
    domains: byDomain.flatMap(([, [first]]) => first ?? []),
    keyed: jobs.flatMap(({ keyed }) => keyed ?? []),
  })
  if (draw === null) return { outcomes: new Map(jobs.map((job) => [job, 'stale'])), versions: new Map(), points: 0 }
  const { versions } = draw
  if ('keys' in draw) {
    const outcomes = outcomesOfKeys(jobs, draw)
    const others = jobs.filter((job) => !outcomes.has(job))
    if (others.length === 0) return { outcomes, versions, points: 0 }
    const written = await writeJobs(database, identity, filled, others)
    return { ...written, outcomes: new Map([...outcomes, ...written.outcomes]) }
  }
  filled.numbers.note(draw.generation)
  const outcomes = new Map(jobs.map((job) => [job, outcomeOf(job, draw)]))
  const current = new Set(jobs.filter((job) => isWritten(outcomes.get(job))).map(({ domainId }) => domainId))
  const stored = onlyOf(flush, current)
  noteFlush(filled, { ...stored, generation: draw.generation })
  return { outcomes, versions, points: stored.count }
}

/**
 * Stores a flush under the next number. If other processes draw numbers too, it draws a number first
 * (docs/decisions/0061).
 */
async function drawAndStore(
  database: Database,
  identity: string,
  { numbers, buffer, noted }: FilledBuffer,
  flush: Omit<UnsentFlush, 'after'>,
): Promise<Exclude<Draw, { ticket: Ticket }> | null> {
  const unknown = flush.domains.flatMap(({ domainId }) => (noted.has(domainId) ? [] : domainId))
  if (unknown.length > 0) await noteDomains(database, buffer, unknown)
  for (const domainId of unknown) noted.add(domainId)
  let after = numbers.isAlone ? numbers.last : await drawTicket(database)
  for (;;) {
    const draw = await storeFlush(database, { buffer, identity }, { ...flush, after })
    if (draw === null || !('ticket' in draw)) return draw
    after = draw.ticket
  }
}

/** The outcomes of the jobs if nothing was stored because of their keys. */
function outcomesOfKeys(jobs: readonly Job[], { keys, versions }: Extract<Draw, { keys: unknown }>): Map<Job, Outcome> {
  const outcomes = new Map<Job, Outcome>()
  const keyed = jobs.filter((job) => job.keyed !== undefined)
  for (const [index, job] of keyed.entries()) {
    const state = keys[index]
    if (state === 'new') continue
    outcomes.set(job, isOutdated(job, versions) ? 'outdated' : state === 'known' ? 'known' : 'key locked')
  }
  return outcomes
}

/** Rights are checked first, because the model must reveal nothing to a sender who may no longer read it. */
function outcomeOf(job: Job, { generation, versions }: Extract<Draw, { generation: unknown }>): Outcome {
  const present = versions.get(job.domainId)
  if (present?.model === 'locked') return 'model locked'
  if (isOutdated(job, versions)) return 'outdated'
  return present?.model === modelOf(job) ? { generation } : 'stale'
}

function isOutdated({ domainId, accessVersion }: Job, versions: WrittenJobs['versions']): boolean {
  return accessVersion !== null && versions.get(domainId)?.accessVersion !== accessVersion
}

export function isWritten(outcome: Outcome | undefined): boolean {
  return typeof outcome === 'object'
}

/** The flush without the domains that were left out. */
function onlyOf(flush: PackedFlush, domains: ReadonlySet<number>): PackedFlush {
  if (flush.pieces.every(({ domainId }) => domains.has(domainId))) return flush
  const pieces = flush.pieces.filter(({ domainId }) => domains.has(domainId))
  return { ...flush, pieces, count: pieces.reduce((sum, { count }) => sum + count, 0) }
}

export const LOCKED: { readonly [outcome in Waiting]: string } = {
  'model locked':
    'the model of this domain is being changed, which takes longer than usual; nothing of the batch was stored; try again in a moment',
  'key locked':
    'another request with this Idempotency-Key is being stored, which takes longer than usual; try again in a moment',
}

export function isWaiting(outcome: Outcome): outcome is Waiting {
  return typeof outcome === 'string' && Object.hasOwn(LOCKED, outcome)
}
