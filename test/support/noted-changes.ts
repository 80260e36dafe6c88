import { UUID } from '../../src/db/columns.ts'
import type { Database } from '../../src/db/sql.ts'
import type { OutboxTopic } from '../../src/store/outbox.ts'

/** The changes that subscriptions receive: the uuid of the row of each change, in the order of the notes. */
export async function notedChanges(database: Database, ...topics: readonly OutboxTopic[]): Promise<readonly string[]> {
  const rows = await database.rows(
    { uuid: UUID },
    `select noted.uuid from outbox o, unnest(o.uuids) with ordinality as noted (uuid, place)
     where o.topic = any ($1) order by o.id, noted.place`,
    [topics],
  )
  return rows.map(({ uuid }) => uuid)
}
