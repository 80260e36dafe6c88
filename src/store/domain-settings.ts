import { BOOL, TEXT_ARRAY } from '../db/columns.ts'
import type { RowOf } from '../db/row-shape.ts'
import type { Sql } from '../db/sql.ts'

const SETTINGS = {
  /** Whether every consumer must use PKCE (RFC 7636), even one with a secret. */
  requiresPkce: BOOL,
  /** The origins whose pages may call the API from a browser. */
  allowedOrigins: TEXT_ARRAY,
}

/** The settings of a domain for sign-ins and browsers. */
export type DomainSettings = RowOf<typeof SETTINGS>

export async function fetchDomainSettings(sql: Sql, domainId: number): Promise<DomainSettings> {
  const [settings] = await sql.rows(
    SETTINGS,
    `select requires_pkce as "requiresPkce", allowed_origins as "allowedOrigins" from access_settings where domain_id = $1`,
    [domainId],
  )
  return settings ?? { requiresPkce: false, allowedOrigins: [] }
}

export async function saveDomainSettings(
  sql: Sql,
  domainId: number,
  { requiresPkce, allowedOrigins }: DomainSettings,
): Promise<void> {
  await sql.query(
    `insert into access_settings (domain_id, requires_pkce, allowed_origins) values ($1, $2, $3)
     on conflict (domain_id) do update
       set requires_pkce = excluded.requires_pkce, allowed_origins = excluded.allowed_origins`,
    [domainId, requiresPkce, [...allowedOrigins]],
  )
}
