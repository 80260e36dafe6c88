import type { Database, Sql } from '../../db/sql.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { present } from '../../lib/present.ts'
import { textLength } from '../../lib/text-length.ts'
import { fetchChanges, type NotedChanges, type OutboxTopic } from '../../store/outbox.ts'
import { readDomain } from '../../store/domains.ts'
import {
  type ChangeSource,
  type Delivery,
  type PartSize,
  type PollStatus,
  WEIGHT_OF_ROW,
  weightOfText,
} from './feed.ts'
import { numberOutbox } from './outbox.ts'

interface Identified {
  readonly uuid: string
}

/** The topic of rows in the outbox, and the way to read them. */
export interface RowTable<Row extends Identified> {
  readonly topic: OutboxTopic
  /** Reads rows; null if the texts of several rows have more than `mostBytes` together. A single row may have more. */
  fetch(sql: Sql, domainId: number, uuids: readonly string[], mostBytes: number): Promise<readonly Row[] | null>
}

/** The number of rows that are read before their bytes are counted. */
const ROWS_AT_ONCE = 1_000

/** Reads rows whose size is not known beforehand. */
export function someAtATime<Row extends Identified>(
  fetch: (sql: Sql, domainId: number, uuids: readonly string[]) => Promise<readonly Row[]>,
): RowTable<Row>['fetch'] {
  return async (sql, domainId, uuids, mostBytes) => {
    const rows: Row[] = []
    let bytes = 0
    for (let start = 0; start < uuids.length; start += ROWS_AT_ONCE) {
      const some = await fetch(sql, domainId, uuids.slice(start, start + ROWS_AT_ONCE))
      bytes += textLength(some)
      if (bytes > mostBytes && uuids.length > 1) return null
      rows.push(...some)
    }
    return rows
  }
}

/** The weight of a row that waits for its reader. */
export function weightOfRow(row: unknown): number {
  return WEIGHT_OF_ROW + weightOfText(textLength(row))
}

/**
 * Splits a delivery into parts; an empty delivery is one part. A subscriber that stops in the middle continues from the
 * beginning of the delivery.
 */
export function* rowParts<Row>(
  { items, before, after }: Delivery<number, Row>,
  most: PartSize,
): Generator<{ readonly rows: readonly Row[]; readonly position: number }, undefined> {
  let rows: Row[] = []
  let text = 0
  for (const row of items) {
    const length = textLength(row)
    if (rows.length === most.items || (rows.length > 0 && text + length > most.text)) {
      yield { rows, position: before }
      rows = []
      text = 0
    }
    rows.push(row)
    text += length
  }
  yield { rows, position: after }
}

/** The maximum number of changes that a subscriber gets after an absence, and of the bytes of their texts. */
const MOST_AGAIN = 10_000
const MOST_BYTES_AGAIN = 134_217_728
/** The maximum number of bytes of the changes that are read at once, for all subscribers. */
const MOST_BYTES_OF_POLL = 67_108_864
/**
 * The maximum number of rows that are read at once, unless a single transaction has more. Short values are read with
 * their rows, before the bytes are counted.
 */
const MOST_ROWS_OF_POLL = 8_192

/**
 * The rows of one domain, each in its state after a transaction that changed it. A position is the number of the last
 * change that was seen. See docs/decisions/0036.
 */
export class RowSource<Row extends Identified> implements ChangeSource<number, Row, null> {
  readonly #database: Database
  readonly #domainId: number
  readonly #table: RowTable<Row>

  constructor(database: Database, domainId: number, table: RowTable<Row>) {
    this.#database = database
    this.#domainId = domainId
    this.#table = table
  }

  async start(status: PollStatus): Promise<number> {
    return this.#lastNumber(status)
  }

  async poll(position: number, status: PollStatus): Promise<Delivery<number, Row> | null> {
    const last = await this.#lastNumber(status)
    if (last === position) return null
    if (last < position) throw notYet()
    const { items, after } = await this.#read(position, last, (sql, noted) => this.#first(sql, noted))
    return { items, before: position, after, hasMore: after < last }
  }

  async between(from: number, to: number): Promise<readonly Row[]> {
    if (from > to) throw notYet()
    if (to - from > MOST_AGAIN) throw tooOld(MOST_AGAIN)
    if (from === to) return []
    const changed = await this.#read(from, to, (sql, noted) => this.#changed(sql, noted, MOST_BYTES_AGAIN))
    if (changed === null) throw tooMuch()
    return changed
  }

  /**
   * The number of the last change. All visible changes are numbered first. A status without this topic asks the domain
   * itself: it has no change yet, or its node is away.
   */
  async #lastNumber({ outbox }: PollStatus): Promise<number> {
    const { topic } = this.#table
    const own = outbox.filter((one) => one.domainId === this.#domainId && one.topic === topic)
    const [first] = own
    if (first !== undefined && own.every(({ last }) => last !== null)) return first.last ?? 0
    return numberOutbox(this.#database, this.#domainId, topic)
  }

  #read<Result>(
    after: number,
    upTo: number,
    read: (sql: Sql, noted: readonly NotedChanges[]) => Promise<Result>,
  ): Promise<Result> {
    return readDomain(this.#database, this.#domainId, async (sql) => {
      const noted = await fetchChanges(sql, this.#domainId, this.#table.topic, { after, upTo })
      // Each change has its own number. So if a reader finds fewer changes than numbers, some are no longer kept.
      const kept = noted.reduce((sum, { uuids }) => sum + uuids.length, 0)
      if (kept < upTo - after) throw tooOld(kept)
      return read(sql, noted)
    })
  }

  /**
   * Reads the changes of the first transactions, up to the limit of one poll. All changes of one transaction are read
   * together.
   */
  async #first(sql: Sql, noted: readonly NotedChanges[]): Promise<{ readonly items: Row[]; readonly after: number }> {
    for (let count = begun(noted); ; count = Math.ceil(count / 2)) {
      const items = await this.#changed(sql, noted.slice(0, count), count > 1 ? MOST_BYTES_OF_POLL : Infinity)
      if (items !== null) return { items, after: present(noted[count - 1]).number }
    }
  }

  /**
   * The changed rows in the order of the numbers. A row that was changed several times appears once, in its latest
   * state.
   */
  async #changed(sql: Sql, noted: readonly NotedChanges[], mostBytes: number): Promise<Row[] | null> {
    const uuids = [...new Set(noted.flatMap((one) => one.uuids).toReversed())].toReversed()
    const rows = await this.#table.fetch(sql, this.#domainId, uuids, mostBytes)
    if (rows === null) return null
    const byUuid = new Map(rows.map((row) => [row.uuid, row]))
    return uuids.flatMap((uuid) => byUuid.get(uuid) ?? [])
  }
}

/** The number of transactions whose rows fit into one poll; at least one. */
function begun(noted: readonly NotedChanges[]): number {
  let rows = 0
  const first = noted.findIndex(({ uuids }) => (rows += uuids.length) > MOST_ROWS_OF_POLL)
  return first === -1 ? noted.length : Math.max(1, first)
}

function tooOld(kept: number): HoldfastError {
  const message = `this cursor is too old: more than ${kept.toLocaleString('en-US')} changes came since; read them with a query, and subscribe without a cursor`
  return new HoldfastError('LIMIT_EXCEEDED', message)
}

function tooMuch(): HoldfastError {
  const most = MOST_BYTES_AGAIN.toLocaleString('en-US')
  const message = `the changes since this cursor have more than ${most} bytes; read them with a query, and subscribe without a cursor`
  return new HoldfastError('LIMIT_EXCEEDED', message)
}

function notYet(): HoldfastError {
  return new HoldfastError(
    'CONFLICT',
    'this cursor is ahead of the database: it belongs to another one, or the database was restored; subscribe without a cursor',
  )
}
