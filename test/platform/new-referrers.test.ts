import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../src/db/sql.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { applyImport } from '../../src/platform/imports/applying/apply-import.ts'
import { createRecord } from '../../src/platform/records/change-record.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { NO_SETTINGS, type Settings } from '../../src/records/settings.ts'
import { SAMPLED_DATABASES } from '../support/databases.ts'
import { acknowledging, applyAll, emptyDomain, makeDomain, plan } from '../support/domain.ts'
import { dumpTables } from '../support/table-dump.ts'

// Between a plan and its apply somebody makes a record that refers to one that the plan deletes or renames. No record of
// the plan has moved, and yet it cannot be applied as it was reviewed: the new record would refer to nothing.

const characteristic = (code: string): JsonObject => ({
  code,
  name: code,
  characteristicType: 'MEASUREMENT',
  dataType: 'FLOAT',
})
const service = (code: string): JsonObject => ({ code, name: code })
const user = (email: string, alias: string | null): JsonObject => ({
  email,
  organization: alias === null ? null : { alias },
})
const LINK = { characteristicCode: 'noise', serviceCode: 'street' }

const BEFORE = {
  characteristics: [characteristic('noise'), characteristic('light')],
  services: [service('street'), service('park')],
  characteristicServiceLinks: [],
  organizations: [{ name: 'Acme', alias: 'acme' }],
  users: [user('ada@example.org', null)],
}

describe.each(SAMPLED_DATABASES)('a reviewed plan on $name', ({ openMigrated }) => {
  let database: Database
  let context: DomainContext

  beforeEach(async () => {
    if (database === undefined) {
      database = await openMigrated()
      context = await makeDomain(database)
    }
    await emptyDomain(context)
    await applyAll(context, BEFORE)
  })
  afterAll(() => database.close())

  /** Applies a plan that was made before `meanwhile`, and gives its refusal. */
  async function refusalOf(document: object, decided: Settings, meanwhile: () => Promise<unknown>): Promise<unknown> {
    const settings = acknowledging(await plan(context, document, decided), decided)
    const reviewed = await plan(context, document, settings)
    await meanwhile()
    const before = await dumpTables(database)
    const error: unknown = await applyImport(context, { document, settings, plan: reviewed, origin: {} }).catch(
      (reason: unknown) => reason,
    )
    expect(await dumpTables(database)).toStrictEqual(before)
    return error
  }

  const makeLink = () => createRecord(context, 'characteristicServiceLinks', LINK, [])
  const makeMember = () => createRecord(context, 'users', user('jo@example.org', 'acme'), [])
  const { characteristicServiceLinks: _, ...withoutLinks } = BEFORE

  it.each([
    ['lists the links', BEFORE],
    ['does not speak of links', withoutLinks],
  ])(
    'that deletes both ends of a link made since is refused with the link, where the document %s',
    async (_, document) => {
      const wanted = { ...document, characteristics: [characteristic('light')], services: [service('park')] }
      expect(await refusalOf(wanted, NO_SETTINGS, makeLink)).toMatchObject({
        code: 'STALE_PLAN',
        details: [{ type: 'characteristicServiceLinks', key: 'noise/street' }],
      })
    },
  )

  it('that renames one end of a link made since is refused with the link', async () => {
    const wanted = { ...BEFORE, characteristics: [characteristic('sound'), characteristic('light')] }
    const moved: Settings = { ...NO_SETTINGS, moved: [{ type: 'characteristics', from: 'noise', to: 'sound' }] }
    expect(await refusalOf(wanted, moved, makeLink)).toMatchObject({
      code: 'STALE_PLAN',
      details: [{ type: 'characteristicServiceLinks', key: 'noise/street' }],
    })
  })

  it('that deletes an organization is refused when a user was put into it since', async () => {
    expect(await refusalOf({ ...BEFORE, organizations: [] }, NO_SETTINGS, makeMember)).toMatchObject({
      code: 'BLOCKED',
      message: expect.stringMatching(
        /organizations\/acme cannot be deleted: users\/jo@example.org refers to it/,
      ) as string,
    })
  })

  it('is refused when a type that it does not speak of has come under management since, and says which', async () => {
    const manage = () => applyAll(context, { ...BEFORE, dataSources: [{ code: 'meter' }] })
    const wanted = { ...BEFORE, services: [service('street')] }
    expect(await refusalOf(wanted, NO_SETTINGS, manage)).toMatchObject({
      code: 'BLOCKED',
      details: [{ code: 'leaves-scope', type: 'dataSources' }],
    })
  })
})
