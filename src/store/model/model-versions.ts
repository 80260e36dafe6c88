import { INT8, TEXT, UUID } from '../../db/columns.ts'
import { STARTED_IDENTITY } from '../../db/database-identity.ts'
import type { RowOf } from '../../db/row-shape.ts'
import type { Sql } from '../../db/sql.ts'
import { VERSION_TIME } from '../sql-times.ts'

// Servers keep parts of the model, of systems and components in memory. These hold as long as one number stays. If it
// rises, three others tell which parts no longer hold.

/** SQL for the number of the lock of the model of the domain `$1`, which `store_flush` in 0011-store-flush.sql shares. */
const MODEL_LOCK = `hashtextextended('model', $1)`

/**
 * SQL for the version that this transaction gives to `domains`, of whose row it has the lock: a time where that is ahead, so
 * that no version is given out again after a restore or a failover has taken the database back.
 */
const nextVersion = (domains: string): string => `greatest(${domains}.model_version + 1, ${VERSION_TIME})`

/**
 * The kind of change in a transaction: a record with data is gone; records or retentions changed; or only credentials
 * and the systems of `raiseForSystem`.
 */
type ModelChange = 'deletion' | 'records' | 'systems'

/**
 * Raises the version of the model. A process may keep what it is raised for in memory as long as `fetchModelVersion` gives
 * the same. It comes last in its transaction: it waits for the flushes that are just stored, and those that come later wait
 * until the transaction ends (`store_flush` in 0011-store-flush.sql). So no point that was checked by the old model is stored
 * after the new one is there.
 */
export async function raiseModelVersion(sql: Sql, domainId: number, change: ModelChange): Promise<void> {
  await sql.query(`select pg_advisory_xact_lock(${MODEL_LOCK})::text`, [domainId])
  await sql.query(
    `update domains d set model_version = ${nextVersion('d')},
       records_version = case when $2 = 'systems' then d.records_version else ${nextVersion('d')} end,
       deletion_version = case when $2 = 'deletion' then ${nextVersion('d')} else d.deletion_version end
     where d.id = $1`,
    [domainId, change],
  )
}

export async function fetchModelVersion(sql: Sql, domainId: number): Promise<number> {
  const [row] = await sql.rows({ version: INT8 }, `select model_version as version from domains where id = $1`, [
    domainId,
  ])
  return row?.version ?? 0
}

const VERSIONS = { version: INT8, records: INT8, deletion: INT8, identity: TEXT }

/**
 * The version of the model, and those in which records were changed, and data might have been deleted, last; and of which
 * database they are, since one that was taken back has versions, and series, that are not those of before.
 */
export type ModelVersions = RowOf<typeof VERSIONS>

export async function fetchModelVersions(sql: Sql, domainId: number): Promise<ModelVersions> {
  const [row] = await sql.rows(
    VERSIONS,
    `select model_version as version, records_version as records, deletion_version as deletion,
       ${STARTED_IDENTITY} as identity
     from domains where id = $1`,
    [domainId],
  )
  return row ?? { version: 0, records: 0, deletion: 0, identity: '' }
}

/**
 * Raises the version because a system or one of its components has another status or unit. What is new raises nothing:
 * nobody remembers anything of it.
 */
export async function raiseForSystem(sql: Sql, domainId: number, uuid: string): Promise<void> {
  await sql.query(
    `update systems s set changed_in = ${nextVersion('d')} from domains d
     where d.id = $1 and s.domain_id = $1 and s.uuid = $2::uuid`,
    [domainId, uuid],
  )
  await raiseModelVersion(sql, domainId, 'systems')
}

/** The systems that raised it after this version. */
export async function fetchChangedSystems(sql: Sql, domainId: number, version: number): Promise<string[]> {
  const rows = await sql.rows(
    { uuid: UUID },
    `select s.uuid from systems s where s.domain_id = $1 and s.changed_in > 0 and s.changed_in > $2`,
    [domainId, version],
  )
  return rows.map(({ uuid }) => uuid)
}
