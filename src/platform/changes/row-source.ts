import type { Database, Sql } from '../../db/sql.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { fetchChangedRows, fetchSnapshot, type ChangingTable } from '../../store/changes.ts'
import { readDomain } from '../../store/domains.ts'
import type { ChangeSource, Delivery, PollStatus } from './feed.ts'
import { TransactionSnapshot } from './transaction-snapshot.ts'

export interface Identified {
  readonly uuid: string
}

/** The table of rows, and how they are read. */
export interface RowTable<Row extends Identified> {
  readonly table: ChangingTable
  fetch(sql: Sql, domainId: number, uuids: readonly string[]): Promise<readonly Row[]>
}

/**
 * Splits a delivery into parts of at most `most` rows; an empty delivery is one part. A subscriber that stops in the
 * middle continues from the beginning.
 */
export function* rowParts<Row>(
  { items, before, after }: Delivery<TransactionSnapshot, Row>,
  most: number,
): Generator<{ readonly rows: readonly Row[]; readonly position: TransactionSnapshot }, undefined> {
  for (let start = 0; start === 0 || start < items.length; start += most) {
    const isLast = start + most >= items.length
    yield { rows: items.slice(start, start + most), position: isLast ? after : before }
  }
}

/** The most rows that a subscriber gets who was away. */
const MOST_AGAIN = 10_000
const ALL = 2 ** 31 - 1

/** The rows of one domain, each as it is after a transaction that has changed it. See docs/decisions/0014. */
export class RowSource<Row extends Identified> implements ChangeSource<TransactionSnapshot, Row, null> {
  readonly #database: Database
  readonly #domainId: number
  readonly #table: RowTable<Row>

  constructor(database: Database, domainId: number, table: RowTable<Row>) {
    this.#database = database
    this.#domainId = domainId
    this.#table = table
  }

  start({ snapshot }: PollStatus): Promise<TransactionSnapshot> {
    return Promise.resolve(new TransactionSnapshot(snapshot))
  }

  async poll(position: TransactionSnapshot, status: PollStatus): Promise<Delivery<TransactionSnapshot, Row> | null> {
    if (status.snapshot === position.text) return null
    const latest = status.latest[String(this.#domainId)]?.[this.#table.table]
    const isSeen = latest === null || (latest !== undefined && Number(latest) < position.xmin)
    if (isSeen) return { items: [], before: position, after: new TransactionSnapshot(status.snapshot) }
    return readDomain(this.#database, this.#domainId, async (sql) => {
      const after = new TransactionSnapshot(await fetchSnapshot(sql))
      return { items: await this.#changed(sql, position, after, ALL), before: position, after }
    })
  }

  async between(from: TransactionSnapshot, to: TransactionSnapshot): Promise<readonly Row[]> {
    if (from.xmax > to.xmax)
      throw new HoldfastError(
        'CONFLICT',
        'nothing had happened yet at this cursor: it is of another database, or of one that was restored since; subscribe without it',
      )
    const rows = await readDomain(this.#database, this.#domainId, (sql) => this.#changed(sql, from, to, MOST_AGAIN + 1))
    if (rows.length <= MOST_AGAIN) return rows
    throw new HoldfastError(
      'LIMIT_EXCEEDED',
      `this cursor is too old: more than ${MOST_AGAIN.toLocaleString('en-US')} changes came since; read them with a query, and subscribe without it`,
    )
  }

  /**
   * The changed rows in the order of the transactions. A row that was changed several times appears once, in its
   * latest state.
   */
  async #changed(sql: Sql, from: TransactionSnapshot, to: TransactionSnapshot, limit: number): Promise<Row[]> {
    const changed = await fetchChangedRows(sql, this.#domainId, this.#table.table, from.text, limit)
    const uuids = changed.filter(({ changedBy }) => to.sees(changedBy)).map(({ uuid }) => uuid)
    if (uuids.length === 0) return []
    const rows = await this.#table.fetch(sql, this.#domainId, uuids)
    const byUuid = new Map(rows.map((row) => [row.uuid, row]))
    return uuids.flatMap((uuid) => byUuid.get(uuid) ?? [])
  }
}
