import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../src/db/sql.ts'
import { findToken } from '../../src/store/access/bearers.ts'
import { fetchModelVersion, listDomainIds } from '../../src/store/domains.ts'
import { PGLITE } from '../support/databases.ts'

// The database is changed so that the statements of the store still run, and give something else than they are read as.

let database: Database
beforeAll(async () => {
  database = await PGLITE.openMigrated()
})
afterAll(() => database.close())

it('a column of another type fails, and so does a renamed one', async () => {
  const changed = database.transaction(async (sql) => {
    await sql.script('alter table domains alter model_version type numeric')
    return fetchModelVersion(sql, 1)
  })
  await expect(changed).rejects.toThrow(/"version" is numeric and not int8\. select model_version as version from/)
  const renamed = database.transaction(async (sql) => {
    await sql.script('alter table domains rename id to number')
    return listDomainIds(sql)
  })
  await expect(renamed).rejects.toThrow('column "id" does not exist')
})

it('a renamed member of an object that a function gives fails', async () => {
  await database.script(`create or replace function find_token(of_domain bigint, token_hash bytea) returns jsonb
    language sql as $$ select '{"domainId": 1, "scopes": null}'::jsonb $$`)
  const found = findToken(database, { domainId: 1, tokenHash: new Uint8Array(32) })
  await expect(found).rejects.toThrow('the column "token" holds {"scopes":null,"domainId":1}')
})
