import { INT8, nullable, oneOf, UUID_ARRAY } from '../db/columns.ts'
import type { RowOf } from '../db/row-shape.ts'
import type { Database, Sql } from '../db/sql.ts'

// Changes are noted by those who make them, without a number, and numbered by those who read them
// (docs/decisions/0036).

/** The kinds of rows whose changes can be followed. */
const OUTBOX_TOPICS = ['events', 'setpoints', 'applies'] as const
export type OutboxTopic = (typeof OUTBOX_TOPICS)[number]

/** The most changes that one transaction numbers, unless one note has more. */
const AT_ONCE = 5_000

/** Notes which rows this transaction has changed, and gives the number of the note; 0 if there are none. */
export async function noteChanges(
  sql: Sql,
  domainId: number,
  topic: OutboxTopic,
  uuids: readonly string[],
): Promise<number> {
  if (uuids.length === 0) return 0
  const [row] = await sql.rows(
    { id: INT8 },
    `insert into outbox (domain_id, topic, uuids) values ($1, $2, $3::uuid[]) returning id`,
    [domainId, topic, uuids],
  )
  return row?.id ?? 0
}

const NUMBERS = { last: INT8, forgotten: INT8 }

/** All changes of a topic up to `last` have a number, and those up to `forgotten` are not kept any more. */
type OutboxNumbers = RowOf<typeof NUMBERS>

/** Keeps others from numbering until the transaction ends. */
async function lockNumbers(sql: Sql, domainId: number, topic: OutboxTopic): Promise<OutboxNumbers> {
  const [row] = await sql.rows(
    NUMBERS,
    `insert into outbox_numbers as n (domain_id, topic) values ($1, $2)
     on conflict (domain_id, topic) do update set last = n.last returning last, forgotten`,
    [domainId, topic],
  )
  if (row === undefined) throw new Error('an upsert returned no row')
  return row
}

/**
 * Numbers some of what transactions that have ended have noted; `isMore` says that something may be left. It takes two
 * statements, because only a statement that begins under the lock sees all that was numbered before.
 */
export async function numberChanges(
  sql: Sql,
  domainId: number,
  topic: OutboxTopic,
): Promise<OutboxNumbers & { readonly isMore: boolean }> {
  const before = await lockNumbers(sql, domainId, topic)
  const [row] = await sql.rows(
    { last: INT8, count: INT8 },
    `with fresh as materialized (
       select o.id, sum(cardinality(o.uuids)) over (order by o.id) as place from (
         select id, uuids from outbox where domain_id = $1 and topic = $2 and number is null order by id limit ${AT_ONCE}) o
     ), numbered as (
       update outbox o set number = $3 + fresh.place from fresh where o.domain_id = $1 and o.id = fresh.id
       returning o.number
     )
     update outbox_numbers n set last = ended.last from (select max(number) as last, count(*) as count from numbered) ended
     where n.domain_id = $1 and n.topic = $2 and ended.count > 0 returning n.last, ended.count`,
    [domainId, topic, before.last],
  )
  return { ...before, last: row?.last ?? before.last, isMore: row?.count === AT_ONCE }
}

/** Forgets all changes up to a number. In a transaction that has just numbered some. */
export async function forgetChanges(sql: Sql, domainId: number, topic: OutboxTopic, upTo: number): Promise<void> {
  await sql.query(`delete from outbox where domain_id = $1 and topic = $2 and number <= $3`, [domainId, topic, upTo])
  await sql.query(`update outbox_numbers set forgotten = $3 where domain_id = $1 and topic = $2`, [
    domainId,
    topic,
    upTo,
  ])
}

const NOTED = { number: INT8, uuids: UUID_ARRAY }

/** The changes of one transaction, under the number of its last change. */
export type NotedChanges = RowOf<typeof NOTED>

/** The changes after one number up to another, in their order. */
export async function fetchChanges(
  sql: Sql,
  domainId: number,
  topic: OutboxTopic,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): Promise<NotedChanges[]> {
  return sql.rows(
    NOTED,
    `select number, uuids from outbox where domain_id = $1 and topic = $2 and number > $3 and number <= $4
     order by number`,
    [domainId, topic, after, upTo],
  )
}

const OUTBOX_STATUS = { domainId: INT8, topic: oneOf(OUTBOX_TOPICS), last: nullable(INT8) }

/** Where numbers stand; a row without `last` says that something is not numbered yet. */
export type OutboxStatus = RowOf<typeof OUTBOX_STATUS>

/** How far the outboxes of some domains are. One small statement. */
export async function fetchOutboxStatus(database: Database, domainIds: readonly number[]): Promise<OutboxStatus[]> {
  if (domainIds.length === 0) return []
  return database.rows(
    OUTBOX_STATUS,
    `select domain_id as "domainId", topic, last from outbox_numbers where domain_id = any ($1::bigint[])
     union all
     select domain_id, topic, null from outbox where domain_id = any ($1::bigint[]) and number is null group by 1, 2
     order by 1, 2, 3`,
    [domainIds.map(String)],
  )
}

/** The outboxes in which something is not numbered yet, whether anybody follows them or not. */
export async function findUnnumbered(database: Database): Promise<readonly RowOf<typeof UNNUMBERED>[]> {
  return database.rows(
    UNNUMBERED,
    `select domain_id as "domainId", topic from outbox where number is null group by 1, 2 order by 1, 2`,
  )
}
const UNNUMBERED = { domainId: INT8, topic: oneOf(OUTBOX_TOPICS) }
