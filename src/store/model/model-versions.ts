import { INT8, TEXT, UUID } from '../../db/columns.ts'
import { STARTED_IDENTITY } from '../../db/database-identity.ts'
import type { RowOf } from '../../db/row-shape.ts'
import type { Sql } from '../../db/sql.ts'
import { VERSION_TIME } from '../sql-times.ts'

// Servers cache parts of the model, of systems and of components. The caches are valid while one version number stays
// the same. When it rises, three others tell which parts are no longer valid.

/**
 * SQL for the number of the advisory lock on the model of the domain `$1`. `store_flush` in 0033-domain-state.sql takes
 * it in shared mode, on the node with the hot tables. So this lock reads no row of the domain.
 */
const MODEL_LOCK = `hashtextextended('model', $1)`

/**
 * SQL for the next version. The transaction holds the lock of the row of `domain_state`. The version is the time if that is
 * larger, so that no version is reused after a restore or a failover to an older state.
 */
const NEXT_VERSION = `greatest(d.model_version + 1, ${VERSION_TIME})`

/**
 * The kind of change in a transaction: a record with data was deleted; records or retentions changed; or only
 * credentials and systems (`raiseForSystem`) did.
 */
type ModelChange = 'deletion' | 'records' | 'systems'

const RAISED: { readonly [change in ModelChange]: readonly string[] } = {
  systems: ['model_version'],
  records: ['model_version', 'records_version'],
  deletion: ['model_version', 'records_version', 'deletion_version'],
}

/**
 * Raises the version of the model. Processes may cache the model while `fetchModelVersion` returns the same version. It
 * must come last in its transaction: it waits for running flushes, and later flushes wait until the transaction ends
 * (`store_flush` in 0033-domain-state.sql takes this lock in shared mode). So no point that was checked by the old
 * model is stored after the new model takes effect.
 */
export async function raiseModelVersion(sql: Sql, domainId: number, change: ModelChange): Promise<void> {
  await sql.query(`select pg_advisory_xact_lock(${MODEL_LOCK})::text`, [domainId])
  // Citus refuses a CASE with the time.
  const raised = RAISED[change].map((column) => `${column} = ${NEXT_VERSION}`)
  await sql.query(`update domain_state d set ${raised.join(', ')} where d.domain_id = $1`, [domainId])
}

export async function fetchModelVersion(sql: Sql, domainId: number): Promise<number> {
  const [row] = await sql.rows(
    { version: INT8 },
    `select model_version as version from domain_state where domain_id = $1`,
    [domainId],
  )
  return row?.version ?? 0
}

const VERSIONS = { version: INT8, records: INT8, deletion: INT8, identity: TEXT }

/**
 * The version of the model, of the last change of records, and of the last change that may have deleted data.
 * `identity` names the database and the node of the domain, because after a restore of either there are other versions
 * and series.
 */
export type ModelVersions = RowOf<typeof VERSIONS>

export async function fetchModelVersions(sql: Sql, domainId: number): Promise<ModelVersions> {
  const [row] = await sql.rows(
    VERSIONS,
    `select model_version as version, records_version as records, deletion_version as deletion,
       ${STARTED_IDENTITY} || '\n' || node_of($1) as identity
     from state_of($1)`,
    [domainId],
  )
  return row ?? { version: 0, records: 0, deletion: 0, identity: '' }
}

/** The parts of an identity: the database, which all domains share, and the start of the node of the domain. */
export function partsOf(identity: string): { readonly database: string; readonly node: string } {
  const [database = '', node = ''] = identity.split('\n')
  return { database, node }
}

/**
 * Raises the version because a system or one of its components has a new status or unit. New systems and components
 * raise nothing, because they are in no cache.
 */
export async function raiseForSystem(sql: Sql, domainId: number, uuid: string): Promise<void> {
  await sql.query(
    `update systems s set changed_in = ${NEXT_VERSION} from domain_state d
     where d.domain_id = $1 and s.domain_id = $1 and s.uuid = $2::uuid`,
    [domainId, uuid],
  )
  await raiseModelVersion(sql, domainId, 'systems')
}

/** The systems that raised the version after this one. */
export async function fetchChangedSystems(sql: Sql, domainId: number, version: number): Promise<string[]> {
  const rows = await sql.rows(
    { uuid: UUID },
    `select s.uuid from systems s where s.domain_id = $1 and s.changed_in > 0 and s.changed_in > $2`,
    [domainId, version],
  )
  return rows.map(({ uuid }) => uuid)
}
