import { BOOL, TEXT } from './columns.ts'
import type { Sql } from './sql.ts'

/** The SQLSTATE of a missing right. */
export const INSUFFICIENT_PRIVILEGE = '42501'

const RIGHTS = {
  user: TEXT,
  database: TEXT,
  mayMakeRoles: BOOL,
  mayGrantRole: BOOL,
  mayMakeTables: BOOL,
  ownsDatabase: BOOL,
  tablesOf: TEXT,
}

/** The role of 0001-domains.sql may exist already, because all databases of a server share their roles. */
const SELECT_RIGHTS = `SELECT quote_ident(current_user) AS user, quote_ident(current_database()) AS database,
  own.rolsuper OR own.rolcreaterole AS "mayMakeRoles",
  coalesce(pg_has_role((SELECT oid FROM pg_roles WHERE rolname = 'holdfast_domain'), 'MEMBER WITH ADMIN OPTION'), true)
    AS "mayGrantRole",
  has_schema_privilege('public', 'CREATE') AS "mayMakeTables",
  pg_has_role(database.datdba, 'MEMBER') AS "ownsDatabase",
  coalesce((SELECT quote_ident(pg_get_userbyid(relowner)) FROM pg_class
    WHERE oid = to_regclass('schema_migrations') AND NOT pg_has_role(relowner, 'MEMBER')), '') AS "tablesOf"
FROM pg_roles own, pg_database database WHERE own.rolname = current_user AND database.datname = current_database()`

interface MissingRights {
  readonly database: string
  /** The statements for an administrator. */
  readonly statements: readonly string[]
}

/** Finds the rights that the user of this connection lacks to create and own the tables of Holdfast. */
export async function findMissingRights(sql: Sql): Promise<MissingRights> {
  const [rights] = await sql.rows(RIGHTS, SELECT_RIGHTS)
  if (rights === undefined) return { database: '', statements: [] }
  const { user, database, mayMakeRoles, mayGrantRole, mayMakeTables, ownsDatabase, tablesOf } = rights
  const own = ownsDatabase
    ? `grant create on schema public to ${user};`
    : `alter database ${database} owner to ${user};`
  return {
    database,
    statements: [
      ...(mayMakeRoles ? [] : [`alter role ${user} createrole;`]),
      ...(mayGrantRole ? [] : [`grant holdfast_domain to ${user} with admin option;`]),
      ...(mayMakeTables ? [] : [own]),
      ...(tablesOf === '' ? [] : [`reassign owned by ${tablesOf} to ${user};`]),
    ],
  }
}
