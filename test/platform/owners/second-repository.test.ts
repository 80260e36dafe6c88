import { describe, expect, it } from 'vitest'
import { settingsOf } from '../../../src/documents/read/settings-file.ts'
import { updateRecord } from '../../../src/platform/records/change-record.ts'
import { jobOf } from '../../support/job-of.ts'
import { oneDomain } from '../one-domain.ts'
import { allowing, apply, CHARACTERISTICS, PEOPLE, plan, refused, row, SOURCES } from './asked.ts'

const domain = oneDomain()
const one = () => jobOf(domain(), { id: '1', name: 'acme/one' })
const two = () => jobOf(domain(), { id: '2', name: 'acme/two' })

describe('a second repository', () => {
  it('starts without a word about what it never owned, and says whose it is', async () => {
    await apply(await one(), SOURCES)
    const made = await plan(await two(), PEOPLE)
    expect(made.outcome).toBe('changes')
    expect(row(made, 'dataSources')).toMatchObject({ state: 'unmanaged', managedBy: 'acme/one', guards: [] })
    await apply(await two(), PEOPLE)
    expect((await plan(await one(), SOURCES)).outcome).toBe('no-changes')
    expect((await plan(await two(), PEOPLE)).outcome).toBe('no-changes')
  })

  it('leaves the drift of the first one to it, with its cause and author', async () => {
    const [first, second] = [await one(), await two()]
    await apply(first, SOURCES)
    await apply(second, PEOPLE)
    await updateRecord({ ...domain(), actorName: 'grace' }, 'dataSources', 'weather', { name: 'Hers' }, [])
    await apply(
      second,
      { organizations: [] },
      { settings: settingsOf({ acknowledge: [{ code: 'empties-type', type: 'organizations' }] }) },
    )
    expect((await plan(first, SOURCES)).changes).toMatchObject([{ cause: 'drift', drift: { actor: 'grace' } }])
    expect((await plan(second, PEOPLE)).changes).toMatchObject([{ type: 'organizations' }])
  })

  it('is refused a type of the first one by name, also where nothing would change', async () => {
    await apply(await one(), SOURCES)
    const made = await plan(await two(), SOURCES)
    expect(made).toMatchObject({ outcome: 'blocked', changes: [] })
    expect(row(made, 'dataSources')).toMatchObject({
      managedBy: 'acme/one',
      guards: [{ code: 'takes-ownership', message: expect.stringContaining('dataSources belong to acme/one') }],
    })
    await expect(apply(await two(), SOURCES)).rejects.toMatchObject(refused(/dataSources belong to acme\/one/))
  })

  it('takes a type over with an acknowledgement, and then the first one is told whose it is', async () => {
    await apply(await one(), SOURCES)
    await updateRecord({ ...domain(), actorName: 'grace' }, 'dataSources', 'weather', { name: 'Hers' }, [])
    const taken = await apply(await two(), SOURCES, { settings: allowing('dataSources') })
    expect(taken).toMatchObject({ recorded: true, origin: { owner: 'acme/two' } })
    expect((await plan(await two(), SOURCES)).outcome).toBe('no-changes')
    expect(row(await plan(await one(), SOURCES), 'dataSources')).toMatchObject({
      managedBy: 'acme/two',
      guards: [{ code: 'takes-ownership', acknowledged: false }],
    })
    expect(row(await plan(await one(), PEOPLE), 'dataSources')).toMatchObject({
      state: 'unmanaged',
      managedBy: 'acme/two',
    })
  })

  it('takes a type over in a pull request of its own, whose digest says so', async () => {
    await apply(await one(), SOURCES)
    await apply(await two(), PEOPLE)
    const both = { ...PEOPLE, ...SOURCES }
    const asked = { base: PEOPLE, settings: allowing('dataSources') }
    const made = await plan(await two(), both, asked)
    expect(made).toMatchObject({ outcome: 'changes', changes: [], own: { scope: ['dataSources'] } })
    await apply(await two(), both, asked)
    expect(row(await plan(await one(), {}), 'dataSources')).toMatchObject({ managedBy: 'acme/two' })
  })

  it('applies at the same time as the first one', async () => {
    const [first, second] = [await one(), await two()]
    await Promise.all([apply(first, SOURCES), apply(second, PEOPLE)])
    expect(row(await plan(first, SOURCES), 'organizations')).toMatchObject({ managedBy: 'acme/two' })
    expect(row(await plan(second, PEOPLE), 'dataSources')).toMatchObject({ managedBy: 'acme/one' })
    const both = await Promise.allSettled([
      apply(first, { ...SOURCES, ...CHARACTERISTICS }),
      apply(second, { ...PEOPLE, ...CHARACTERISTICS }),
    ])
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})

describe('links', () => {
  const LINKED = {
    ...CHARACTERISTICS,
    services: [{ code: 's', name: 'S', characteristics: [{ code: 'c' }] }],
  }
  const LISTED = { characteristicServiceLinks: [{ characteristicCode: 'c', serviceCode: 's' }] }

  it('belong to whom the records belong to that hold them', async () => {
    await apply(await one(), LINKED)
    expect(row(await plan(await two(), PEOPLE), 'characteristicServiceLinks')).toMatchObject({ managedBy: 'acme/one' })
    const listed = await plan(await two(), LISTED)
    expect(row(listed, 'characteristicServiceLinks')).toMatchObject({ guards: [{ code: 'takes-ownership' }] })
    await apply(await two(), LISTED, { settings: allowing('characteristicServiceLinks') })
    expect((await plan(await one(), LINKED)).outcome).toBe('blocked')
    const { characteristics, services } = LINKED
    const unlinked = { characteristics, services: services.map(({ code, name }) => ({ code, name })) }
    expect((await plan(await one(), unlinked)).outcome).toBe('no-changes')
  })

  it('belong to whom lists them, against records that hold some', async () => {
    await apply(await one(), { ...CHARACTERISTICS, services: [{ code: 's', name: 'S' }] })
    await apply(await two(), LISTED)
    const made = await plan(await one(), LINKED)
    expect(row(made, 'characteristicServiceLinks')).toMatchObject({ managedBy: 'acme/two', state: 'managed' })
    expect(made.outcome).toBe('blocked')
  })
})
