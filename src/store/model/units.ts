import type { Database } from '../../db/sql.ts'

// The policies of what belongs to a system (0006-systems.sql) compare with a setting, for roles within an organization or unit.

/** The setting for work on the whole domain. */
const EVERY_UNIT = '*'

/** A database as it is for an actor whose role counts within some units. */
interface BoundDatabase extends Database {
  readonly whole: Database
  readonly units: string
}

/**
 * The same database, in which all work within a domain sees and writes rows of these units only; null: of all. Work
 * that would go round the wall, because the owner of the tables would run it, is refused.
 */
export function boundTo(database: Database, units: readonly string[] | null): Database {
  if (units === null) return database
  const bound: BoundDatabase = {
    whole: database,
    units: units.join(','),
    ...(database.isSingle !== undefined && { isSingle: database.isSingle }),
    read: (work) => database.read(work),
    transaction: (work) => database.transaction(work),
    rows: refuse,
    rowsApart: refuse,
    statement: refuse,
    script: refuse,
    close: refuse,
  }
  return bound
}

function refuse(): Promise<never> {
  return Promise.reject(new Error('this database is bound to units: only what enters a domain may be run on it'))
}

/** The database without the wall, for what belongs to no domain, such as the number of the last flush. */
export function wholeOf(database: Database): Database {
  return isBound(database) ? database.whole : database
}

/** The setting under which a database is worked on. */
export function unitsSetting(database: Database): string {
  return isBound(database) ? database.units : EVERY_UNIT
}

function isBound(database: Database): database is BoundDatabase {
  return 'units' in database
}
