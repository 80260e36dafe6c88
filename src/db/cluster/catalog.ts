import { BOOL, INT8, oneOf, TEXT, TEXT_ARRAY } from '../columns.ts'
import type { Sql } from '../sql.ts'
import type { Catalog } from './layout.ts'

const HAS_EXTENSION = `select to_regclass('pg_dist_partition') is not null as present`

const DATABASE = { database: TEXT, mayRoleLogIn: BOOL, passesSettings: BOOL, rolesWithJit: TEXT_ARRAY }
const SELECT_DATABASE = `select quote_ident(current_database()) as database,
  coalesce((select rolcanlogin from pg_roles where rolname = 'holdfast_domain'), true) as "mayRoleLogIn",
  coalesce(current_setting('citus.propagate_set_commands', true) = 'local', false) or exists (
    select from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase
    where d.datname = current_database() and s.setrole = 0 and 'citus.propagate_set_commands=local' = any (s.setconfig)
  ) as "passesSettings",
  array(select quote_ident(r.rolname) from pg_roles r join pg_roles own on own.rolname = current_user
    where (r.oid = own.oid or r.rolname = 'holdfast_domain' and (own.rolsuper or own.rolcreaterole)) and not exists (
      select from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase
      where d.datname = current_database() and s.setrole = r.oid and 'jit=off' = any (s.setconfig)) order by 1
  ) as "rolesWithJit"`

/** Leaves out the objects of extensions. */
const IS_OWN = `not exists (select from pg_depend e where e.objid = o.oid and e.deptype = 'e')`

const TABLE = {
  name: TEXT,
  hasDomain: BOOL,
  placement: oneOf(['local', 'reference', 'distributed']),
  references: TEXT_ARRAY,
  hasKey: BOOL,
  bytes: INT8,
}
const SELECT_TABLES = `select o.relname::text as name,
  exists (select from pg_attribute a where a.attrelid = o.oid and a.attname = 'domain_id' and not a.attisdropped) as "hasDomain",
  case p.partmethod when 'h' then 'distributed' when 'n' then case p.repmodel when 't' then 'reference' else 'local' end
    else 'local' end as placement,
  array(select distinct c.relname::text from pg_constraint f join pg_class c on c.oid = f.confrelid
    where f.conrelid = o.oid and f.contype = 'f' and f.confrelid <> o.oid) as references,
  exists (select from pg_index i where i.indrelid = o.oid and i.indisprimary) as "hasKey",
  pg_relation_size(o.oid) + coalesce((select sum(pg_relation_size(t.relid)) from pg_partition_tree(o.oid) t), 0)::bigint
    as bytes
from pg_class o left join pg_dist_partition p on p.logicalrelid = o.oid
where o.relnamespace = 'public'::regnamespace and o.relkind in ('r', 'p') and not o.relispartition and ${IS_OWN}
order by o.relname`

const FUNCTION = { signature: TEXT, ofDomain: BOOL, placement: oneOf(['local', 'everywhere', 'distributed']) }
const SELECT_FUNCTIONS = `select o.oid::regprocedure::text as signature,
  coalesce(o.proargnames[1] = 'of_domain' and o.proargtypes[0] = 'int8'::regtype, false) as "ofDomain",
  case when d.objid is null then 'local' when d.distribution_argument_index is null then 'everywhere'
    else 'distributed' end as placement
from pg_proc o left join pg_dist_object d on d.classid = 'pg_proc'::regclass and d.objid = o.oid
where o.pronamespace = 'public'::regnamespace and o.prokind = 'f' and ${IS_OWN}
order by 1`

/** Reads what the layout of a cluster depends on; null if the database does not have the extension Citus. */
export async function readCatalog(sql: Pick<Sql, 'rows'>): Promise<Catalog | null> {
  const [extension] = await sql.rows({ present: BOOL }, HAS_EXTENSION)
  if (extension?.present !== true) return null
  const [[database], tables, functions] = await Promise.all([
    sql.rows(DATABASE, SELECT_DATABASE),
    sql.rows(TABLE, SELECT_TABLES),
    sql.rows(FUNCTION, SELECT_FUNCTIONS),
  ])
  return database === undefined ? null : { ...database, tables, functions }
}
