import type { Database, Sql } from '../../db/sql.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { textLength } from '../../lib/text-length.ts'
import { fetchChanges, type OutboxTopic } from '../../store/outbox.ts'
import { readDomain } from '../../store/domains.ts'
import type { ChangeSource, Delivery, PartSize, PollStatus } from './feed.ts'
import { numberOutbox } from './outbox.ts'
import { WEIGHT_OF_ROW, weightOfText } from './waiting-weight.ts'

export interface Identified {
  readonly uuid: string
}

/** What rows are noted as, and how they are read. */
export interface RowTable<Row extends Identified> {
  readonly topic: OutboxTopic
  fetch(sql: Sql, domainId: number, uuids: readonly string[]): Promise<readonly Row[]>
}

/** What a row weighs while it waits to be read. */
export function weightOfRow(row: unknown): number {
  return WEIGHT_OF_ROW + weightOfText(textLength(row))
}

/** Splits a delivery into parts; an empty delivery is one part. A subscriber that stops in the middle continues from the beginning. */
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

/** The most changes that a subscriber gets who was away. */
const MOST_AGAIN = 10_000

/**
 * The rows of one domain, each as it is after a transaction that has changed it. A position is the number of the last
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
    return { items: await this.#changed(position, last), before: position, after: last }
  }

  async between(from: number, to: number): Promise<readonly Row[]> {
    if (from > to) throw notYet()
    if (to - from > MOST_AGAIN) throw tooOld(MOST_AGAIN)
    return from === to ? [] : this.#changed(from, to)
  }

  /** The number of the last change, when all that can be seen have one. */
  async #lastNumber({ outbox }: PollStatus): Promise<number> {
    const { topic } = this.#table
    const own = outbox.filter((one) => one.domainId === this.#domainId && one.topic === topic)
    if (own.every(({ last }) => last !== null)) return own[0]?.last ?? 0
    return numberOutbox(this.#database, this.#domainId, topic)
  }

  /** The changed rows in the order of the numbers. A row that was changed several times appears once, in its latest state. */
  #changed(after: number, upTo: number): Promise<Row[]> {
    return readDomain(this.#database, this.#domainId, async (sql) => {
      const noted = await fetchChanges(sql, this.#domainId, this.#table.topic, { after, upTo })
      const all = noted.flatMap(({ uuids }) => uuids)
      // Each change has a number of its own, so a reader that finds fewer knows that some are not kept any more.
      if (all.length < upTo - after) throw tooOld(all.length)
      const uuids = [...new Set(all.toReversed())].toReversed()
      const rows = await this.#table.fetch(sql, this.#domainId, uuids)
      const byUuid = new Map(rows.map((row) => [row.uuid, row]))
      return uuids.flatMap((uuid) => byUuid.get(uuid) ?? [])
    })
  }
}

function tooOld(kept: number): HoldfastError {
  const message = `this cursor is too old: more than ${kept.toLocaleString('en-US')} changes came since; read them with a query, and subscribe without it`
  return new HoldfastError('LIMIT_EXCEEDED', message)
}

function notYet(): HoldfastError {
  return new HoldfastError(
    'CONFLICT',
    'nothing had happened yet at this cursor: it is of another database, or of one that was restored since; subscribe without it',
  )
}
