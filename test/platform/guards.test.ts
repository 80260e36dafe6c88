import { describe, expect, test } from 'vitest'
import type { HoldfastError } from '../../src/lib/errors.ts'
import { differenceOf } from '../../src/documents/base-document.ts'
import { applyImport } from '../../src/platform/imports/applying/apply-import.ts'
import { planImport, READS_ALL } from '../../src/platform/imports/planning/plan-import.ts'
import { createRecord, deleteRecord } from '../../src/platform/records/change-record.ts'
import { NO_SETTINGS, type Settings } from '../../src/records/settings.ts'
import { acknowledging, applyAll, plan } from '../support/domain.ts'
import { examples } from '../support/example-records.ts'
import { rowOf, storedKeys, storedRecords } from '../support/plan-parts.ts'
import { oneDomain } from './one-domain.ts'

const domain = oneDomain()
const dataSources = (...names: readonly string[]) => ({ dataSources: examples('dataSources', names) })

async function apply(document: object, settings: Settings) {
  const planned = await plan(domain(), document, settings)
  return applyImport(domain(), { document, settings, plan: planned, origin: {} })
}

/** One situation for each guard that the platform itself can produce. */
const SITUATIONS: readonly { code: string; before: object; by?: string; after: object; settings?: Settings }[] = [
  { code: 'leaves-scope', before: dataSources('a'), after: {} },
  { code: 'empties-type', before: dataSources('a'), after: dataSources() },
  { code: 'takes-over', before: {}, by: 'a', after: dataSources('b') },
  { code: 'mass-delete', before: dataSources('a', 'b', 'c', 'd', 'e', 'f', 'g'), after: dataSources('a') },
  {
    code: 'protected',
    before: dataSources('a', 'b'),
    after: dataSources('b'),
    settings: { ...NO_SETTINGS, protect: [{ type: 'dataSources', key: 'a' }] },
  },
  {
    code: 'deletes-data',
    before: {
      organizations: [{ name: 'Acme', alias: 'acme' }, { name: 'Other' }],
      users: [{ email: 'ada@example.org', organization: { alias: 'acme' } }],
    },
    after: { organizations: [{ name: 'Other' }], users: [{ email: 'ada@example.org' }] },
  },
]

test('lists the first hundred reasons, and counts the others', async () => {
  const names = Array.from({ length: 150 }, (_, index) => `source-${index}`)
  const protect = names.map((key) => ({ type: 'dataSources' as const, key }))
  await applyAll(domain(), dataSources(...names, 'other'))
  const error: unknown = await apply(dataSources('other'), { ...NO_SETTINGS, protect }).catch((one: unknown) => one)
  const { message, details } = error as HoldfastError
  expect(message).toContain('(and 150 more; the first 100 are listed)')
  expect(details).toHaveLength(100)
})

describe.each(SITUATIONS)('$code', ({ code, before, by, after, settings = NO_SETTINGS }) => {
  async function prepare(): Promise<void> {
    await applyAll(domain(), before)
    if (by !== undefined) await createRecord(domain(), 'dataSources', { code: by }, [])
  }

  test('refuses the apply by its code, and nothing is changed', async () => {
    await prepare()
    const earlier = await storedRecords(domain())
    await expect(apply(after, settings)).rejects.toMatchObject({ code: 'BLOCKED', details: [{ code }] })
    expect(await storedRecords(domain())).toEqual(earlier)
  })

  test('lets the apply pass once it is acknowledged; then the acknowledgement is a warning', async () => {
    await prepare()
    const acknowledged = acknowledging(await plan(domain(), after, settings), settings)
    expect(acknowledged.acknowledge.map((one) => one.code)).toEqual([code])
    await apply(after, acknowledged)
    const again = await plan(domain(), after, acknowledged)
    expect(again.outcome).toBe('no-changes')
    const unprotected = settings.protect.map(() => ({ code: 'unmatched-protection', severity: 'warning' }))
    const expected = [...unprotected, { code: 'unused-acknowledgement', severity: 'warning' }]
    expect(again.diagnostics).toMatchObject(expected)
    expect(again.diagnostics.at(-1)?.message).toContain(code)
  })
})

test('a plan that was reviewed as blocked is refused, even if the digest fits', async () => {
  await applyAll(domain(), dataSources('a'))
  const reviewed = await plan(domain(), {})
  const request = { document: {}, settings: NO_SETTINGS, plan: { ...reviewed, outcome: 'changes' }, origin: {} }
  await expect(applyImport(domain(), request)).rejects.toMatchObject({ code: 'BLOCKED' })
})

test('an acknowledgement that came after the review lets the reviewed plan pass', async () => {
  await applyAll(domain(), dataSources('a'))
  const reviewed = await plan(domain(), {})
  await applyImport(domain(), { document: {}, settings: acknowledging(reviewed), plan: reviewed, origin: {} })
  expect(await storedKeys(domain(), 'dataSources')).toEqual(['a'])
})

describe('a mutation', () => {
  const users = [{ email: 'ada@example.org', organization: { alias: 'acme' } }]
  const organizations = [{ name: 'Acme', alias: 'acme' }]

  test('cannot delete a record that another one refers to', async () => {
    await applyAll(domain(), { organizations, users })
    await expect(deleteRecord(domain(), 'organizations', 'acme', ['deletes-data'])).rejects.toMatchObject({
      code: 'BLOCKED',
      details: [{ code: 'still-referenced' }],
    })
  })

  test('is not stopped by guards of the whole type: it does nothing to the others', async () => {
    await createRecord(domain(), 'dataSources', { code: 'a' }, [])
    await deleteRecord(domain(), 'dataSources', 'a', [])
    expect(await storedKeys(domain(), 'dataSources')).toEqual([])
  })
})

test('an e-mail address in capitals is the address of the user, in protections and in grants', async () => {
  await applyAll(domain(), { users: [{ email: 'anna@x.ch' }, { email: 'beate@x.ch' }] })
  const settings = {
    protect: [{ type: 'users', key: 'Anna@X.ch' }],
    access: [{ role: 'viewer', user: 'Beate@X.ch' }],
  }
  const planned = await plan(domain(), { users: [{ email: 'beate@x.ch' }] }, settings as unknown as Settings)
  const codesOf = ({ key, guards }: (typeof planned.changes)[number]) => [key, ...guards.map(({ code }) => code)]
  expect(planned.changes.map(codesOf)).toEqual([['anna@x.ch', 'protected']])
  expect(planned.access.changes.map(({ key }) => key)).toContain('viewer/user/beate@x.ch')
})

test('an entry that the base has for an earlier change acknowledges no later one', async () => {
  const before = { dataSources: [{ code: 'a' }] }
  await applyAll(domain(), before)
  const planned = async (reason: string) => {
    const acknowledge = [{ code: 'empties-type', type: 'dataSources', reason }] as const
    const document = { dataSources: [] }
    const base = {
      document: differenceOf(document, before),
      settings: { acknowledge: [{ ...acknowledge[0], reason: 'May' }] },
    }
    return (await planImport(domain(), document, { ...NO_SETTINGS, acknowledge }, READS_ALL, { base })).plan
  }
  expect(await planned('June')).toMatchObject({ outcome: 'changes' })
  const spent = await planned('May')
  expect(spent.outcome).toBe('blocked')
  expect(rowOf(spent, 'dataSources').guards[0]?.message).toContain('is older than this change and does not cover it')
})
