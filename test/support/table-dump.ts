import { TEXT } from '../../src/db/columns.ts'
import type { Database } from '../../src/db/sql.ts'

/**
 * The content of a database, row by row as text. Equal dumps mean that nothing was written, or that everything was
 * undone.
 */
export async function dumpTables(database: Database): Promise<{ readonly [table: string]: readonly string[] }> {
  return database.read(async (sql) => {
    const tables = await sql.rows(
      { name: TEXT },
      `select table_name::text as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
    )
    const dump: { [table: string]: string[] } = {}
    for (const { name } of tables) {
      const rows = await sql.rows({ line: TEXT }, `select t::text as line from ${name} t order by t::text collate "C"`)
      dump[name] = rows.map(({ line }) => line)
    }
    return dump
  })
}

/**
 * The model of all domains without values that differ between two runs of the same apply (uuids, times, nonces).
 * Equal shapes mean that the same changes were made.
 */
export async function modelShape(database: Database): Promise<readonly object[]> {
  return database.read((sql) =>
    sql.query(
      `select r.domain_id, r.type, r.key, r.digest, r.revision, s.fingerprint, s.salt,
         (select string_agg(t.type || '/' || t.key || ' ' || f.owner, ' ' order by t.type, t.key)
          from record_references f join records t on t.uuid = f.to_uuid where f.from_uuid = r.uuid) as refers,
         (select managed_types from domain_state where domain_id = r.domain_id) as managed,
         (select count(*) from record_drift) as drifted, (select count(*) from applies) as applies,
         (select count(*) from apply_changes) as changes, (select count(*) from apply_secrets) as kept
       from records r left join record_secrets s on s.record_uuid = r.uuid order by r.domain_id, r.type, r.key`,
    ),
  )
}
