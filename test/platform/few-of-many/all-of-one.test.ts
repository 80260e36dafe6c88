import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Sql } from '../../../src/db/sql.ts'
import { fetchConsents } from '../../../src/store/access/sessions.ts'
import { fetchImpact } from '../../../src/store/datapoints/points/impact.ts'
import { fetchReferencesOf } from '../../../src/store/model/record-path.ts'
import { fetchSecrets } from '../../../src/store/model/secrets.ts'
import { FLEETS, makeFleet, MANY, uuidOf, type Fleet } from '../../support/fleet.ts'

// Where many rows belong to one record, a statement looks at each of them a few times, and not at each for each other one.

const SEEN = { most: 12, never: [], hidden: [], around: null }
/** There are so many systems, setpoints and so on of the organization, too. */
const MOST = 20 * MANY

type Ask = (sql: Sql, domainId: number, fleet: Fleet) => Promise<unknown>
const ASKED: readonly (readonly [what: string, ask: Ask])[] = [
  ['the users of an organization', (sql, id) => fetchImpact(sql, id, [{ type: 'organizations', key: 'company' }])],
  ['the references to an organization', (sql, id, { unit }) => fetchReferencesOf(sql, id, unit, 'to', SEEN)],
  ['the secrets of all users', (sql, id) => fetchSecrets(sql, id, ['users'])],
  ['the consents of an account', (sql, id) => fetchConsents(sql, id, uuidOf('user'), new Date())],
]

describe.each(FLEETS)('all of one on $name $statistics', (kind) => {
  let fleet: Fleet
  beforeAll(async () => {
    fleet = await makeFleet(kind)
    const { database, domain } = fleet.context
    await database.script(`
      update artifacts set account_uuid = '${uuidOf('user')}' where domain_id = ${domain.id} and kind in ('Grant', 'RefreshToken');
      ${kind.analyze}`)
  })
  afterAll(() => fleet.context.database.close())

  it.each(ASKED)('%s: rows are looked at a few times', async (_, ask) => {
    const rows = await fleet.looksAt((sql, id) => ask(sql, id, fleet))
    expect(rows).toBeGreaterThanOrEqual(MANY)
    expect(rows).toBeLessThanOrEqual(MOST)
  })
})
