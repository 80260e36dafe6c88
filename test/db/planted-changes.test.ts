import { expect, it } from 'vitest'
import { findTokens } from '../../src/store/access/bearers.ts'
import { fetchModelVersion } from '../../src/store/model/model-versions.ts'
import { database, useDatabase } from '../support/one-database.ts'

// The database is changed so that the statements of the store still run, and give something else than they are read as.

useDatabase()

it('a column of another type fails', async () => {
  const changed = database.transaction(async (sql) => {
    await sql.script('alter table domain_state alter model_version type numeric')
    return fetchModelVersion(sql, 1)
  })
  await expect(changed).rejects.toThrow(/"version" is numeric and not int8\. select model_version as version from/)
})

it('a function that gives another column fails', async () => {
  await database.script(`drop function find_token(bigint, bytea)`)
  await database.script(`create function find_token(of_domain bigint, token_hash bytea,
    out standing json, out expires_at timestamptz, out is_consumed boolean)
    language sql as $$ select '[]'::json, now(), false $$`)
  const found = findTokens(database, [{ domainId: 1, tokenHash: new Uint8Array(32) }])
  await expect(found).rejects.toThrow('the column "standing" is json and not text')
})
