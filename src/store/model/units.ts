import type { Database, LocalSettings, Sql } from '../../db/sql.ts'
import { UUID } from '../../db/columns.ts'
import { DATA_TYPES } from '../../records/types/data-types.ts'

// Row policies (0022-units-in-groups.sql) compare rows that belong to a system with these settings, for roles within an
// organization or unit.

/** For work on the whole domain. */
const EVERY_UNIT: LocalSettings = { 'holdfast.units': '*' }

/**
 * The maximum number of units in one setting. PostgreSQL scans a setting for each row, so more units are split into
 * groups.
 */
const MOST_IN_ONE = 64

/** A database restricted to the units of an actor. */
interface BoundDatabase extends Database {
  readonly whole: Database
  readonly units: LocalSettings
}

/** The same database, restricted to rows of these units; null for all. Work as the tables' owner is rejected. */
export function boundTo(database: Database, units: readonly string[] | null): Database {
  if (units === null) return database
  const bound: BoundDatabase = {
    whole: database,
    units: settingsOf(units),
    ...(database.isSingle !== undefined && { isSingle: database.isSingle }),
    read: (work) => database.read(work),
    transaction: (work) => database.transaction(work),
    rows: refuse,
    rowsApart: refuse,
    rowsAtOnce: refuse,
    statement: refuse,
    script: refuse,
    close: refuse,
  }
  return bound
}

function refuse(): Promise<never> {
  return Promise.reject(new Error('this database is bound to units: only what enters a domain may be run on it'))
}

/** The unrestricted database, for data of no domain, such as the number of the last flush. */
export function wholeOf(database: Database): Database {
  return isBound(database) ? database.whole : database
}

/** The settings with which a database is used. */
export function unitsSettings(database: Database): LocalSettings {
  return isBound(database) ? database.units : EVERY_UNIT
}

/** Splits units into 256 groups by the first two digits of the uuid, so that each row is compared with one group. */
function settingsOf(units: readonly string[]): LocalSettings {
  if (units.length <= MOST_IN_ONE) return { 'holdfast.units': units.join(',') }
  const groups = Map.groupBy(units, (unit) => unit.slice(0, 2))
  const settings = Array.from(groups, ([digits, group]) => [`holdfast.units_${digits}`, group.join(',')])
  return { 'holdfast.units': '', ...Object.fromEntries(settings) }
}

function isBound(database: Database): database is BoundDatabase {
  return 'units' in database
}

/**
 * The uuids of the organizations and units with these keys, and of all below them. The keys below a unit are in the
 * range from `unit/` to `unit0` (`0` follows the slash), which an index finds.
 */
export async function fetchUnitsWithin(sql: Sql, domainId: number, keys: readonly string[]): Promise<string[]> {
  const which = `from records where domain_id = $1 and type = $2 and key`
  const rows = await sql.rows(
    { uuid: UUID },
    `select distinct unit.uuid from unnest($3::text[]) wanted cross join lateral (
       select uuid ${which} = wanted union all select uuid ${which} > wanted || '/' and key < wanted || '0') unit`,
    [domainId, DATA_TYPES.unit, keys],
  )
  return rows.map(({ uuid }) => uuid)
}
