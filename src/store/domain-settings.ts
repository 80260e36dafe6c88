import type { Sql } from '../db/sql.ts'

/** What the administrators of a domain decide about signing in to it. */
export interface DomainSettings {
  /** Of every consumer, also of those that have a secret (RFC 7636). */
  readonly requiresPkce: boolean
}

export async function fetchDomainSettings(sql: Sql, domainId: number): Promise<DomainSettings> {
  const [settings] = await sql.query<DomainSettings>(
    `select requires_pkce as "requiresPkce" from domains where id = $1`,
    [domainId],
  )
  return settings ?? { requiresPkce: false }
}

export async function saveDomainSettings(sql: Sql, domainId: number, { requiresPkce }: DomainSettings): Promise<void> {
  await sql.query(`update domains set requires_pkce = $2 where id = $1`, [domainId, requiresPkce])
}
