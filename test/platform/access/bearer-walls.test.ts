import type { Database } from '../../../src/db/sql.ts'
import { describe, expect, test } from 'vitest'
import { findAccount } from '../../../src/platform/access/accounts/accounts.ts'
import { identifyBearer } from '../../../src/platform/access/sessions/identify-bearer.ts'
import { CLIENT_TYPE } from '../../../src/platform/access/clients/clients.ts'
import { tokenHash } from '../../../src/platform/access/sessions/token-hash.ts'
import { findBackings, findTokens, readStanding } from '../../../src/store/access/bearers.ts'
import type { Domain } from '../../../src/store/domains.ts'
import { giveToken, makeMachine } from '../../support/access.ts'
import { SAMPLED_DATABASES } from '../../support/databases.ts'
import { applyAll, makeDomain } from '../../support/domain.ts'
import { oneDomain } from '../one-domain.ts'

// A bearer token is looked up by functions of the database. Each of two walls keeps it inside of its domain, so each is
// looked at with the other one taken away.

function rowSecurity(how: 'enable' | 'disable'): string {
  const tables = ['artifacts', 'records', 'platform_records']
  return tables.map((table) => `alter table ${table} ${how} row level security;`).join('\n')
}

/** Citus changes one table in a script. */
async function runLines(database: Pick<Database, 'script'>, lines: string): Promise<void> {
  for (const line of lines.split('\n')) await database.script(line)
}

describe.each(SAMPLED_DATABASES)('the look-up of a bearer token on $name', (kind) => {
  const domain = oneDomain(kind)

  /** With the tables of the platform changed. */
  const withTables = async <T>(changed: string, work: () => Promise<T>, restored: string): Promise<T> => {
    await runLines(domain().database, changed)
    return work().finally(() => runLines(domain().database, restored))
  }

  test('names its domain in the question itself', async () => {
    const other = await makeDomain(domain().database, 'other')
    const { database } = domain()
    const { uuid: accountUuid } = await makeMachine(domain(), 'gateway')
    const token = await giveToken(domain(), { uuid: accountUuid })
    const find = async ({ id: domainId }: Domain) => {
      const key = { domainId, tokenHash: tokenHash(token) }
      const [found = null, again = null, none] = [
        ...(await findTokens(database, [key])),
        ...(await findTokens(database, [key, { domainId, tokenHash: tokenHash('another') }])),
      ]
      expect([again, none]).toStrictEqual([found, null])
      const named = { domainId, accountUuid, clientId: null, methodUuid: null }
      const [backing] = await findBackings(database, [named], CLIENT_TYPE.name)
      return [found === null ? undefined : readStanding(found).accountUuid, backing?.account?.key]
    }
    const found = await withTables(
      rowSecurity('disable'),
      async () => [await find(domain().domain), await find(other.domain)],
      rowSecurity('enable'),
    )
    expect(found).toStrictEqual([
      [accountUuid, 'gateway'],
      [undefined, undefined],
    ])
  })

  test.each(['artifacts', 'platform_records'])(
    'asks as the role of its domain, whose %s have a policy',
    async (table) => {
      const token = await giveToken(domain(), await makeMachine(domain(), 'operator'))
      const policy = (allowed: string) => `alter policy own_domain on ${table} using (${allowed})`
      const own = `domain_id = current_setting('holdfast.domain_id')::bigint`
      const walled = await withTables(policy('false'), () => identifyBearer(domain(), token), policy(own))
      expect(walled).toBeNull()
      expect(await identifyBearer(domain(), token)).toMatchObject({ name: 'operator' })
    },
  )

  test('does not find somebody of the platform while a record of the model has their name', async () => {
    await applyAll(domain(), { machineUsers: [{ username: 'gateway', password: 'Zq7-8Kd02mfPq71L-word' }] })
    const uuid = crypto.randomUUID()
    // An apply makes one of such two; the look-up does not depend on that.
    await domain().database.script(
      `insert into platform_records (domain_id, uuid, type, key, body, created_at)
       select domain_id, '${uuid}', type, key, body, now() from records where key = 'gateway'`,
    )
    const token = await giveToken(domain(), { uuid })
    expect([await identifyBearer(domain(), token), await findAccount(domain(), uuid)]).toStrictEqual([null, null])
    await domain().database.script(`update records set key = 'another' where key = 'gateway'`)
    expect(await identifyBearer(domain(), token)).toMatchObject({ name: 'gateway' })
  })
})
