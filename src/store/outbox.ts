import { INT8, nullable, oneOf, UUID_ARRAY } from '../db/columns.ts'
import { acrossDomains, isOfDomains, valuesOf } from './across-domains.ts'
import type { RowOf } from '../db/row-shape.ts'
import type { Database, Sql } from '../db/sql.ts'

// Writers store changes without a number, and readers number them (docs/decisions/0036).

/** The kinds of rows with subscriptions to their changes. */
const OUTBOX_TOPICS = ['events', 'setpoints', 'applies'] as const
export type OutboxTopic = (typeof OUTBOX_TOPICS)[number]

/** The maximum number of changes that one transaction numbers, unless a single note contains more. */
const AT_ONCE = 5_000

/** Stores the rows that this transaction has changed, and returns the number of the note; 0 if there are none. */
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

/** All changes of a topic up to `last` have a number, and those up to `forgotten` were deleted. */
type OutboxNumbers = RowOf<typeof NUMBERS>

/** Locks the numbering until the transaction ends. */
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
 * Numbers some of the notes of committed transactions. `isMore`: some may be left. It needs two statements, because
 * only a statement that begins under the lock sees all earlier numbers.
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

/** Deletes all changes up to a number. Must run in a transaction that has just numbered changes. */
export async function forgetChanges(sql: Sql, domainId: number, topic: OutboxTopic, upTo: number): Promise<void> {
  await sql.query(`delete from outbox where domain_id = $1 and topic = $2 and number <= $3`, [domainId, topic, upTo])
  await sql.query(`update outbox_numbers set forgotten = $3 where domain_id = $1 and topic = $2`, [
    domainId,
    topic,
    upTo,
  ])
}

const NOTED = { number: INT8, uuids: UUID_ARRAY }

/** The changes of one transaction. They have the number of the last change. */
export type NotedChanges = RowOf<typeof NOTED>

/** The changes after one number up to another, in order. */
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

/** The last number of a topic. A row with null says that some changes are not numbered yet. */
export type OutboxStatus = RowOf<typeof OUTBOX_STATUS>

/** The status of the outboxes of some domains, in one small statement. */
export async function fetchOutboxStatus(database: Database, domainIds: readonly number[]): Promise<OutboxStatus[]> {
  if (domainIds.length === 0) return []
  return acrossDomains(database, domainIds, (domains) =>
    database.rows(
      OUTBOX_STATUS,
      `select domain_id as "domainId", topic, last from outbox_numbers where ${isOfDomains(domains, 'domain_id', '$1')}
       union all
       select domain_id, topic, null from outbox where ${isOfDomains(domains, 'domain_id', '$1')} and number is null group by 1, 2
       order by 1, 2, 3`,
      valuesOf(domains),
    ),
  )
}

/** The outboxes with unnumbered changes, even those without subscriptions. */
export async function findUnnumbered(database: Database): Promise<readonly RowOf<typeof UNNUMBERED>[]> {
  return acrossDomains(database, null, (domains) =>
    database.rows(
      UNNUMBERED,
      `select domain_id as "domainId", topic from outbox
       where number is null and ${isOfDomains(domains, 'domain_id', '$1')} group by 1, 2 order by 1, 2`,
      valuesOf(domains),
    ),
  )
}
const UNNUMBERED = { domainId: INT8, topic: oneOf(OUTBOX_TOPICS) }
