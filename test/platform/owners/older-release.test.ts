import { describe, expect, it } from 'vitest'
import { allRows } from '../../../src/plan/plan.ts'
import { applyImport } from '../../../src/platform/imports/applying/apply-import.ts'
import { planRollback } from '../../../src/platform/imports/applying/roll-back.ts'
import { listApplies } from '../../../src/platform/imports/history/applies.ts'
import { NO_SETTINGS } from '../../../src/records/settings.ts'
import { applyAll } from '../../support/domain.ts'
import { jobOf } from '../../support/job-of.ts'
import { oneDomain } from '../one-domain.ts'
import { apply, PEOPLE, plan, row, SOURCES } from './asked.ts'

const domain = oneDomain()
const one = () => jobOf(domain(), { id: '1', name: 'acme/one' })
const two = () => jobOf(domain(), { id: '2', name: 'acme/two' })

/** As a release without owners has left the domain: it knew of an apply what the client said of its repository. */
async function forgetOwners(): Promise<void> {
  const { database, domain: written } = domain()
  await database.statement(`update domain_state set type_owners = null where domain_id = $1`, [written.id])
  await database.statement(`update applies set owners_before = null, origin = origin - 'owner' where domain_id = $1`, [
    written.id,
  ])
}

async function asWrittenBefore(document: object, repository: string | null): Promise<void> {
  await applyAll(domain(), document, undefined, { repository })
  await forgetOwners()
}

describe('what an older release has written', () => {
  it.each([
    ['a job of that repository', 'acme/one'],
    ['somebody with a clone', 'git@github.com:acme/one.git'],
    ['nobody who said where', null],
  ])('and was applied by %s gives the first plan nothing to complain about', async (_, repository) => {
    await asWrittenBefore({ ...SOURCES, ...PEOPLE }, repository)
    for (const context of [await one(), domain()]) {
      const made = await plan(context, { ...SOURCES, ...PEOPLE })
      expect(made.outcome).toBe('no-changes')
      expect(allRows(made).filter(({ managedBy }) => managedBy !== undefined)).toEqual([])
    }
    await apply(await one(), { ...SOURCES, ...PEOPLE })
    expect((await plan(await two(), SOURCES)).outcome).toBe('blocked')
  })

  it('still tells its own repository that a type leaves', async () => {
    await asWrittenBefore({ ...SOURCES, ...PEOPLE }, 'https://github.com/acme/one')
    expect(row(await plan(await one(), PEOPLE), 'dataSources')).toMatchObject({ state: 'released' })
    expect(row(await plan(domain(), PEOPLE), 'dataSources')).toMatchObject({ state: 'released' })
  })

  it('goes to the repository of the last apply of each type', async () => {
    await applyAll(await one(), SOURCES, undefined, { repository: 'acme/one' })
    await applyAll(await two(), PEOPLE, undefined, { repository: 'acme/two' })
    await forgetOwners()
    const [first, second] = [await plan(await one(), SOURCES), await plan(await two(), PEOPLE)]
    expect([first.outcome, second.outcome]).toEqual(['no-changes', 'no-changes'])
    expect(row(first, 'organizations')).toMatchObject({ state: 'unmanaged', managedBy: 'acme/two' })
    expect(row(second, 'dataSources')).toMatchObject({ state: 'unmanaged', managedBy: 'acme/one' })
  })

  it('can be rolled back', async () => {
    await asWrittenBefore(SOURCES, 'acme/one')
    await asWrittenBefore({ ...SOURCES, ...PEOPLE }, 'acme/one')
    const [{ uuid } = { uuid: '' }] = await listApplies(domain(), 1, null)
    const job = await one()
    await apply(job, { ...SOURCES, ...PEOPLE })
    const { plan: back } = await planRollback(job, uuid, NO_SETTINGS)
    await applyImport(job, { document: {}, settings: NO_SETTINGS, plan: back, origin: { rollbackOf: uuid } })
    expect(row(await plan(await one(), SOURCES), 'organizations')).toMatchObject({
      state: 'unmanaged',
      previously: null,
    })
  })
})
