import { expect, test } from 'vitest'
import { applyImport } from '../../src/platform/imports/applying/apply-import.ts'
import { planRollback } from '../../src/platform/imports/applying/roll-back.ts'
import { createRecord } from '../../src/platform/records/change-record.ts'
import { NO_SETTINGS, type Settings } from '../../src/records/settings.ts'
import { applyAll } from '../support/domain.ts'
import { effects, findings } from '../support/plan-parts.ts'
import { oneDomain } from './one-domain.ts'

// A key may belong to another record by the time of a rollback. The uuid tells.

const domain = oneDomain()

const service = (code: string, name = 'Name') => ({ code, name })
const apply = (list: readonly object[], settings = NO_SETTINGS) => applyAll(domain(), { services: list }, settings)
const moving = (from: string, to: string): Settings => ({ ...NO_SETTINGS, moved: [{ type: 'services', from, to }] })

/** What the rollback would do, and what it says. */
async function planned({ uuid }: { readonly uuid: string }) {
  const { plan } = await planRollback(domain(), uuid, NO_SETTINGS)
  return [plan.outcome, ...effects(plan), ...findings(plan)]
}

test('the rollback of a creation does not delete a later record of the same key', async () => {
  const created = await apply([service('k')])
  await apply([])
  await apply([service('k')])
  expect(await planned(created)).toEqual(['no-changes'])
})

test('the rollback of a rename refuses to write into another record that has the old key now', async () => {
  await apply([service('k')])
  const renamed = await apply([service('k2')], moving('k', 'k2'))
  await createRecord(domain(), 'services', service('k', 'Another'), [])
  expect(await planned(renamed)).toEqual(['blocked', 'key-taken'])
  const { plan } = await planRollback(domain(), renamed.uuid, NO_SETTINGS)
  const request = { document: {}, settings: NO_SETTINGS, plan, origin: { rollbackOf: renamed.uuid } }
  await expect(applyImport(domain(), request)).rejects.toMatchObject({
    code: 'BLOCKED',
    message: expect.stringContaining('services/k2 cannot be services/k again'),
  })
})

test('the rollback of a deletion refuses to write into a record that was renamed to the key', async () => {
  await apply([service('k'), service('m')])
  const deleted = await apply([service('m')])
  await apply([service('k')], moving('m', 'k'))
  expect(await planned(deleted)).toEqual(['blocked', 'key-taken'])
})

test('the rollback of an update leaves a record alone that was renamed to the key of one that is gone', async () => {
  await apply([service('k', 'Before'), service('m')])
  const updated = await apply([service('k', 'After'), service('m')])
  await apply([service('m')])
  await apply([service('k')], moving('m', 'k'))
  expect(await planned(updated)).toEqual(['no-changes', 'stays-deleted'])
})
