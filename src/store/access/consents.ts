import type { Sql } from '../../db/sql.ts'

// A grant is what an account has allowed an application. Every code and token of that application hangs on one.

const KIND = 'Grant'

/**
 * Keeps a grant from being taken back until this transaction ends; false where it is gone. Every transaction that
 * writes a token asks first, so that no token outlives its grant, however close together the two are written.
 */
export async function holdGrant(sql: Sql, domainId: number, hash: Uint8Array): Promise<boolean> {
  const rows = await sql.query(
    `select 1 as one from artifacts where domain_id = $1 and kind = $2 and hash = $3 for key share`,
    [domainId, KIND, hash],
  )
  return rows.length === 1
}
