import { describe, expect, it } from 'vitest'
import { settingsOf } from '../../../src/documents/read/settings-file.ts'
import { allRows } from '../../../src/plan/plan.ts'
import type { DomainContext } from '../../../src/platform/domain-context.ts'
import { applyImport } from '../../../src/platform/imports/applying/apply-import.ts'
import { planRollback } from '../../../src/platform/imports/applying/roll-back.ts'
import { listApplies } from '../../../src/platform/imports/history/applies.ts'
import { planImport } from '../../../src/platform/imports/planning/plan-import.ts'
import { updateRecord } from '../../../src/platform/records/change-record.ts'
import { NO_SETTINGS, type Settings } from '../../../src/records/settings.ts'
import { applyAll } from '../../support/domain.ts'
import { jobOf } from '../../support/job-of.ts'
import { oneDomain } from '../one-domain.ts'
import { allowing, apply, CHARACTERISTICS, PEOPLE, plan, refused, row, source, SOURCES } from './asked.ts'

const domain = oneDomain()
const one = () => jobOf(domain(), { id: '1', name: 'acme/one' })
const two = () => jobOf(domain(), { id: '2', name: 'acme/two' })

describe('an owner', () => {
  it('is the id of the repository: a rename changes nothing, and a repository that takes the name is another one', async () => {
    await apply(await one(), SOURCES)
    const renamed = await jobOf(domain(), { id: '1', name: 'acme/renamed' })
    expect((await plan(renamed, SOURCES)).outcome).toBe('no-changes')
    await apply(renamed, { dataSources: [source('weather', 'Weather')] })
    const imitator = await jobOf(domain(), { id: '3', name: 'acme/one' })
    expect(row(await plan(imitator, {}), 'dataSources')).toMatchObject({ managedBy: 'acme/renamed' })
    const elsewhere = await jobOf(domain(), { id: '1', name: 'acme/one', issuer: 'https://gitlab.example.com' })
    expect(row(await plan(elsewhere, {}), 'dataSources')).toMatchObject({ managedBy: 'acme/renamed' })
  })

  it('is also the folder, as far as the client says it', async () => {
    const job = await one()
    await apply(job, SOURCES, { folder: 'gateways' })
    expect(row(await plan(job, PEOPLE, { folder: 'models' }), 'dataSources')).toMatchObject({
      managedBy: 'acme/one (gateways)',
      guards: [],
    })
    const older = await planImport(job, SOURCES, NO_SETTINGS)
    expect(older.plan.outcome).toBe('no-changes')
    await applyImport(job, { document: SOURCES, settings: NO_SETTINGS, plan: older.plan, origin: {} })
    expect(row(await plan(job, PEOPLE), 'dataSources')).toMatchObject({ managedBy: 'acme/one (gateways)' })
  })

  it('may be a name in holdfast.yaml where no token tells the repository', async () => {
    const [site, plant] = [settingsOf({ owner: 'site' }), settingsOf({ owner: 'plant' })]
    await apply(domain(), SOURCES, { settings: site })
    expect(row(await plan(domain(), PEOPLE, { settings: plant }), 'dataSources')).toMatchObject({ managedBy: 'site' })
    expect((await plan(domain(), SOURCES, { settings: plant })).outcome).toBe('blocked')
    expect((await plan(await one(), SOURCES, { settings: site })).outcome).toBe('blocked')
    expect((await plan(domain(), {}, { settings: site })).outcome).toBe('blocked')
    expect(row(await plan(domain(), {}, { settings: site }), 'dataSources')).toMatchObject({ state: 'released' })
  })

  it('stands in the history', async () => {
    await apply(await one(), SOURCES, { folder: 'gateways' })
    await applyAll(domain(), PEOPLE)
    expect((await listApplies(domain(), 10, null)).map(({ origin }) => origin['owner'])).toEqual([
      undefined,
      'acme/one (gateways)',
    ])
  })
})

describe('the local owner', () => {
  it('holds nothing against others', async () => {
    await applyAll(domain(), SOURCES)
    expect(row(await plan(await one(), PEOPLE), 'dataSources')).toMatchObject({
      state: 'unmanaged',
      managedBy: 'local',
    })
    const made = await plan(await one(), SOURCES)
    expect(made.outcome).toBe('no-changes')
    expect(row(made, 'dataSources')).not.toHaveProperty('managedBy')
    await apply(await one(), SOURCES)
    expect((await plan(await two(), SOURCES)).outcome).toBe('blocked')
  })

  it('sees whose the types are, and is asked before it changes them', async () => {
    await apply(await one(), SOURCES)
    const same = await plan(domain(), SOURCES)
    expect(same.outcome).toBe('no-changes')
    expect(row(same, 'dataSources')).toMatchObject({ managedBy: 'acme/one', guards: [] })
    const other = { dataSources: [source('weather', 'Other')] }
    await expect(apply(domain(), other)).rejects.toMatchObject(refused(/has no token of that owner/))
  })

  it('leaves a type to its owner, to whom the change is drift', async () => {
    await apply(await one(), SOURCES)
    const other = { dataSources: [source('weather', 'Other'), source('new')] }
    await apply(domain(), other, { settings: allowing('dataSources') })
    const made = await plan(await one(), SOURCES)
    expect(row(made, 'dataSources')).toMatchObject({ state: 'managed', guards: [] })
    expect(made.changes).toMatchObject([
      { action: 'delete', key: 'new', cause: 'drift', drift: { actor: 'tester' } },
      { action: 'update', key: 'weather', cause: 'drift', drift: { actor: 'tester' } },
    ])
  })
})

describe('a rollback', () => {
  it('restores the owner that its apply took a type from, and nothing that came later', async () => {
    await apply(await one(), SOURCES)
    const { uuid } = await apply(
      await two(),
      { dataSources: [source('weather', 'Two')] },
      { settings: allowing('dataSources') },
    )
    await apply(await one(), PEOPLE)
    await rollBack(domain(), uuid, allowing('dataSources'))
    const again = await plan(await one(), { ...SOURCES, ...PEOPLE })
    expect(again.outcome).toBe('no-changes')
    expect(again).not.toHaveProperty('settlesDrift')
    expect(row(await plan(await two(), {}), 'dataSources')).toMatchObject({ managedBy: 'acme/one' })
    expect(row(await plan(await two(), {}), 'organizations')).toMatchObject({ managedBy: 'acme/one' })
  })

  it('leaves a type to the repository that has taken it since, also by an apply that changed nothing', async () => {
    const { uuid } = await apply(domain(), SOURCES)
    expect(await apply(await one(), SOURCES)).toMatchObject({ recorded: true, summary: { update: 0, create: 0 } })
    await rollBack(domain(), uuid, allowing('dataSources'))
    expect(row(await plan(await two(), {}), 'dataSources')).toMatchObject({ managedBy: 'acme/one' })
    const next = await plan(await one(), SOURCES)
    expect(row(next, 'dataSources')).toMatchObject({ state: 'managed', guards: [] })
    expect(next.changes).toMatchObject([{ action: 'create', key: 'weather', cause: 'drift' }])
    expect((await apply(await one(), SOURCES)).recorded).toBe(true)
    expect((await apply(await one(), SOURCES)).recorded).toBe(false)
  })

  it.each([
    ['somebody by hand', domain],
    ['the job of another repository', two],
  ])('of the apply of a repository by %s asks, and counts as drift there', async (_, who) => {
    await apply(await one(), SOURCES)
    const { uuid } = await apply(await one(), { dataSources: [source('weather', 'Later'), source('tide')] })
    const asked = (await planRollback(await who(), uuid, NO_SETTINGS)).plan
    expect(row(asked, 'dataSources').guards).toMatchObject([
      {
        code: 'takes-ownership',
        acknowledged: false,
        message: expect.stringContaining('this rollback has no token of that owner'),
      },
    ])
    expect(allRows(asked).filter(({ guards }) => guards.length > 0)).toHaveLength(1)
    const request = { document: {}, settings: NO_SETTINGS, plan: asked, origin: { rollbackOf: uuid } }
    await expect(applyImport(await who(), request)).rejects.toMatchObject(refused(/belong to acme\/one/))
    await rollBack(await who(), uuid, allowing('dataSources'))
    const next = await plan(await one(), { dataSources: [source('weather', 'Later'), source('tide')] })
    expect(row(next, 'dataSources')).toMatchObject({ state: 'managed', guards: [] })
    expect(next.changes).toMatchObject([
      { action: 'create', key: 'tide', cause: 'drift' },
      { action: 'update', key: 'weather', cause: 'drift', drift: { actor: (await who()).actorName } },
    ])
  })

  it('by the repository itself asks nobody, and waits there to be reverted, which is no drift', async () => {
    await apply(await one(), SOURCES)
    const { uuid } = await apply(await one(), { dataSources: [source('weather', 'Later')] })
    await rollBack(await one(), uuid, NO_SETTINGS)
    const next = await plan(await one(), { dataSources: [source('weather', 'Later')] })
    expect(next.changes).toMatchObject([{ key: 'weather', cause: 'you' }])
    expect((await plan(await one(), SOURCES)).outcome).toBe('no-changes')
  })

  it('by the owner that holdfast.yaml names asks nobody', async () => {
    const site = settingsOf({ owner: 'site' })
    const { uuid } = await apply(domain(), SOURCES, { settings: site })
    expect((await planRollback(domain(), uuid, NO_SETTINGS)).plan.outcome).toBe('blocked')
    expect((await planRollback(domain(), uuid, site)).plan.outcome).toBe('changes')
  })

  it('by hand keeps what drifted before it to be compared with what the repository applied', async () => {
    await apply(await one(), SOURCES)
    const { uuid } = await apply(await one(), { dataSources: [source('weather', 'Later')] })
    await updateRecord(domain(), 'dataSources', 'weather', { name: 'Edited' }, [])
    const settings = settingsOf({
      acknowledge: [
        { code: 'takes-ownership', type: 'dataSources' },
        { code: 'overwrites-later', type: 'dataSources', key: 'weather' },
      ],
    })
    await rollBack(domain(), uuid, settings)
    const next = await plan(await one(), { dataSources: [source('weather', 'Later')] })
    expect(next.changes).toMatchObject([{ key: 'weather', cause: 'drift' }])
  })

  it('of links that only records of the repository hold asks, too', async () => {
    await apply(await one(), services())
    const { uuid } = await apply(await one(), services({ code: 'c' }))
    const made = (await planRollback(domain(), uuid, NO_SETTINGS)).plan
    expect(made.changes).toMatchObject([{ type: 'characteristicServiceLinks', action: 'delete' }])
    expect(row(made, 'characteristicServiceLinks').guards).toMatchObject([{ code: 'takes-ownership' }])
  })
})

const services = (...characteristics: readonly object[]) => ({
  ...CHARACTERISTICS,
  services: [{ code: 's', name: 'S', characteristics }],
})

async function rollBack(context: DomainContext, uuid: string, settings: Settings): Promise<void> {
  const { plan: back } = await planRollback(context, uuid, settings)
  expect(back.outcome).toBe('changes')
  await applyImport(context, { document: {}, settings, plan: back, origin: { rollbackOf: uuid } })
}
