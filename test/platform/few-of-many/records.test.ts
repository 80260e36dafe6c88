import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Sql } from '../../../src/db/sql.ts'
import {
  fetchDelegatedUser,
  fetchDelegatedUsers,
  fetchIdentityPage,
  forgetIdentity,
} from '../../../src/store/access/identity-pages.ts'
import { endGrants, fetchGrantsOfSessions } from '../../../src/store/access/ended-artifacts.ts'
import { fetchSessions } from '../../../src/store/access/sessions.ts'
import { findCharacteristic } from '../../../src/store/datapoints/retention.ts'
import { deleteDataBehind } from '../../../src/store/systems/data-behind.ts'
import { fetchDriftOf } from '../../../src/store/model/drift.ts'
import { fetchRecords } from '../../../src/store/model/records.ts'
import { deleteReferencesFrom, fetchReferrers } from '../../../src/store/model/references.ts'
import { FEW, FLEETS, makeFleet, uuidOf, type Fleet } from '../../support/fleet.ts'

const NOW = new Date()
const KEYS = ['41', '42', '43'].map((number) => ({ type: 'users', key: `user-${number}@example.org` }) as const)
const PAGE = { first: 2, after: null }

const ASKED: readonly (readonly [what: string, ask: (sql: Sql, domainId: number) => Promise<unknown>])[] = [
  ['records', (sql, id) => fetchRecords(sql, id, KEYS)],
  ['what refers to records', (sql, id) => fetchReferrers(sql, id, KEYS)],
  ['what records refer to', (sql, id) => deleteReferencesFrom(sql, id, KEYS.slice(0, 1))],
  ['how records differ from the last apply', (sql, id) => fetchDriftOf(sql, id, KEYS)],
  ['a characteristic by its key', (sql, id) => findCharacteristic(sql, id, 'characteristic-42')],
  ['a characteristic by its uuid', (sql, id) => findCharacteristic(sql, id, uuidOf('characteristic'))],
  ['a person of another provider', (sql, id) => fetchDelegatedUser(sql, id, 'users', uuidOf('shadow'))],
  ['a page of people of other providers', (sql, id) => fetchDelegatedUsers(sql, id, 'users', PAGE)],
  [
    'the identities of an account',
    (sql, id) =>
      fetchIdentityPage(sql, id, { account: uuidOf('shadow'), method: uuidOf('user'), isRefused: false }, PAGE),
  ],
  ['an identity that was refused', (sql, id) => forgetIdentity(sql, id, uuidOf('stranger'))],
  ['the sessions of an account', (sql, id) => fetchSessions(sql, id, uuidOf('user'), NOW)],
  ['the grants of a session', (sql, id) => fetchGrantsOfSessions(sql, id, ['session-42'], { withRefreshToken: false })],
  ['what came out of a grant', (sql, id) => endGrants(sql, id, ['grant-42'])],
]

describe.each(FLEETS)('of many on $name $statistics', (kind) => {
  let fleet: Fleet
  beforeAll(async () => {
    fleet = await makeFleet(kind)
  })
  afterAll(() => fleet.context.database.close())

  it.each(ASKED)('%s: few rows are looked at', async (_, ask) => {
    const rows = await fleet.looksAt(ask)
    expect(rows).toBeGreaterThanOrEqual(0)
    expect(rows).toBeLessThanOrEqual(FEW)
  })

  // By statistics of a fleet with one service, PostgreSQL takes all data for data of each service.
  it.skipIf(kind.analyze !== '')('a deleted service without data: few rows are looked at', async () => {
    const rows = await fleet.looksAt((sql, id) => deleteDataBehind(sql, id, [{ type: 'services', key: 'unused' }]))
    expect(rows).toBeGreaterThanOrEqual(0)
    expect(rows).toBeLessThanOrEqual(FEW)
  })
})
