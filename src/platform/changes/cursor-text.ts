import { hash } from 'node:crypto'
import type { Database } from '../../db/sql.ts'
import { HoldfastError } from '../../lib/errors.ts'
import type { Domain } from '../../store/domains.ts'
import { readServiceChange } from '../service-change.ts'
import type { Topic } from '../change-signals.ts'
import { numberOutbox } from './outbox.ts'
import { SeenFlushes, type NumberRun } from './seen-flushes.ts'
import { fetchChangeStatus } from '../../store/change-status.ts'
import { wholeOf } from '../../store/model/units.ts'
import type { DomainContext } from '../domain-context.ts'

// A position is written as a cursor, which is opaque to clients. Its first part names the subscription, and its second
// part the domain and the database.

/** The mark of a domain in a database. Each domain of each database has another mark. */
export function markOf(identity: string, domainUuid: string): string {
  return hash('sha256', `${identity} ${domainUuid}`, 'hex').slice(0, 12)
}

export function writePosition(topic: Topic, mark: string, position: SeenFlushes | number): string {
  const text = position instanceof SeenFlushes ? flushesText(position) : position
  return Buffer.from(`${topic} ${mark} ${text}`).toString('base64url')
}

/** Reads the number of a change of this topic. */
export function readNumberPosition(topic: Topic, mark: string, cursor: string): number {
  const text = contentOf(topic, mark, cursor)
  return /^\d{1,15}$/.test(text) ? Number(text) : malformed()
}

/**
 * Reads a cursor or an X-Service-Change. Its sender can receive everything that was stored after it. That includes
 * flushes with smaller numbers that are not visible yet; `now` contains them.
 */
export function readFlushPosition(
  domain: Pick<Domain, 'uuid'>,
  mark: string,
  cursor: string,
  now: SeenFlushes,
): SeenFlushes {
  // Cursors of subscriptions contain no dot.
  if (!cursor.includes('.')) return readFlushes(contentOf('datapoints', mark, cursor)) ?? malformed()
  const stored = readServiceChange(domain, cursor)
  if (stored === 0) return malformed()
  return new SeenFlushes(0).until(now, stored)
}

function contentOf(topic: Topic, mark: string, cursor: string): string {
  const [of, from, text] = Buffer.from(cursor, 'base64url').toString('latin1').split(' ')
  if (of !== topic || from === undefined || text === undefined) return malformed()
  if (from === mark) return text
  throw new HoldfastError(
    'CONFLICT',
    'this cursor belongs to another domain or database, or the database was restored; subscribe without a cursor',
  )
}

/** `105:98-101,103` stands for all flushes up to 105 except five. */
function flushesText({ through, missing }: SeenFlushes): string {
  return `${through}:${missing.map(([from, to]) => (from === to ? from : `${from}-${to}`)).join(',')}`
}

const FLUSHES = /^(\d{1,15}):((?:\d{1,15}(?:-\d{1,15})?(?:,|$)){0,20000})$/

function readFlushes(text: string): SeenFlushes | null {
  const [, through, runs = ''] = FLUSHES.exec(text) ?? []
  if (through === undefined) return null
  const missing: NumberRun[] = []
  for (const run of runs === '' ? [] : runs.split(',')) {
    const [from = 0, to = from] = run.split('-').map(Number)
    if (from <= (missing.at(-1)?.[1] ?? 0) || to < from || to > Number(through)) return null
    missing.push([from, to])
  }
  return new SeenFlushes(Number(through), missing)
}

function malformed(): never {
  throw new HoldfastError(
    'BAD_USER_INPUT',
    'after is no cursor of this subscription; use a cursor from its messages, or the X-Service-Change of an answer',
  )
}

/**
 * A cursor for a client that reads datapoints first and then follows them. Everything that is not visible to a reading
 * that begins now comes after the cursor. Some visible points are repeated: at most those that processes stored since
 * they last reported which flushes are finished. It takes one statement, or two if no process writes.
 */
export async function readingCursor({ database, domain }: Pick<DomainContext, 'database' | 'domain'>): Promise<string> {
  const { identity, position } = await readingPosition(database)
  return writePosition('datapoints', markOf(identity, domain.uuid), position)
}

/** Cursors for a client that reads datapoints and events first and then follows both. */
export async function readingCursors({ database, domain }: Pick<DomainContext, 'database' | 'domain'>) {
  const { identity, position } = await readingPosition(database)
  const mark = markOf(identity, domain.uuid)
  const events = writePosition('events', mark, await numberOutbox(wholeOf(database), domain.id, 'events'))
  return { datapoints: writePosition('datapoints', mark, position), events }
}

async function readingPosition(database: Database) {
  // Flushes of all domains share their numbers, so the status of the whole database counts for any actor.
  const status = () => fetchChangeStatus(wholeOf(database), [])
  const first = await status()
  const { identity, settled } = first.settled === null ? await status() : first
  // If no process writes, all flushes with earlier numbers are finished.
  return { identity, position: new SeenFlushes(settled ?? first.drawn) }
}
