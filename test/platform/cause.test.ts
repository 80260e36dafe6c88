import { beforeEach, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/lib/json.ts'
import { applyImport } from '../../src/platform/imports/applying/apply-import.ts'
import { createRecord, deleteRecord, updateRecord } from '../../src/platform/records/change-record.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { planRollback } from '../../src/platform/imports/applying/roll-back.ts'
import { NO_SETTINGS } from '../../src/records/settings.ts'
import { acknowledging, applyAll, plan } from '../support/domain.ts'
import { examples } from '../support/example-records.ts'
import { changeOf } from '../support/plan-parts.ts'
import { oneDomain } from './one-domain.ts'

// Semantics, section 6: against what the last apply wrote, each change is `you`, `drift` or `both`.

const domain = oneDomain()

/** Somebody in the console. */
const somebody = (): DomainContext => ({ ...domain(), actorName: 'grace' })
const services = (...list: readonly JsonObject[]) => ({ services: list })
const service = (code: string, fields: JsonObject = {}): JsonObject => ({
  code,
  name: 'Name',
  description: 'Text',
  ...fields,
})
const base = services(service('a'), service('b'))

async function causeOf(document: object, key: string): Promise<string> {
  const { action, cause, drift } = changeOf(await plan(domain(), document), 'services', key)
  return `${action} ${cause} ${drift?.actor ?? '-'}`
}

const update = (key: string, fields: JsonObject) => updateRecord(somebody(), 'services', key, fields, [])

describe('in a managed type', () => {
  beforeEach(() => applyAll(domain(), base))

  test('what only the document changed is you', async () => {
    const next = services(service('a', { name: 'New' }), service('c'))
    expect(await causeOf(next, 'a')).toBe('update you -')
    expect(await causeOf(next, 'b')).toBe('delete you -')
    expect(await causeOf(next, 'c')).toBe('create you -')
  })

  test('what only somebody on the platform changed is drift, and says who', async () => {
    await update('a', { name: 'Other' })
    await deleteRecord(somebody(), 'services', 'b', [])
    await createRecord(somebody(), 'services', service('c'), [])
    expect(await causeOf(base, 'a')).toBe('update drift grace')
    expect(await causeOf(base, 'b')).toBe('create drift grace')
    expect(await causeOf(base, 'c')).toBe('delete drift grace')
  })

  test('one field changed by both to different values is both', async () => {
    await update('a', { name: 'Other' })
    expect(await causeOf(services(service('a', { name: 'New' }), service('b')), 'a')).toBe('update both grace')
  })

  test('different fields changed by each is both', async () => {
    await update('a', { name: 'Other' })
    expect(await causeOf(services(service('a', { description: 'New' }), service('b')), 'a')).toBe('update both grace')
  })

  test('a field that both changed to the same value is no difference: what is left decides', async () => {
    await update('a', { name: 'New' })
    expect((await plan(domain(), services(service('a', { name: 'New' }), service('b')))).changes).toEqual([])
    const next = services(service('a', { name: 'New', description: 'New' }), service('b'))
    expect(await causeOf(next, 'a')).toBe('update you -')
  })

  test('deleting what somebody changed is both', async () => {
    await update('a', { name: 'Other' })
    expect(await causeOf(services(service('b')), 'a')).toBe('delete both grace')
  })

  test('creating again, and differently, what somebody deleted is both', async () => {
    await deleteRecord(somebody(), 'services', 'a', [])
    expect(await causeOf(services(service('a', { name: 'New' }), service('b')), 'a')).toBe('create both grace')
  })

  test('what somebody changed and changed back has not drifted', async () => {
    await update('a', { name: 'Other' })
    await update('a', { name: 'Name' })
    expect((await plan(domain(), base)).changes).toEqual([])
    expect(await causeOf(services(service('a', { name: 'New' }), service('b')), 'a')).toBe('update you -')
  })

  test('of several people the last one is named, and the base stays what the apply left', async () => {
    await update('a', { name: 'Other' })
    await updateRecord({ ...domain(), actorName: 'linus' }, 'services', 'a', { name: 'Another' }, [])
    expect(await causeOf(base, 'a')).toBe('update drift linus')
  })

  test('nothing has drifted any more after an apply', async () => {
    await update('a', { name: 'Other' })
    await applyAll(domain(), base)
    expect(await causeOf(services(service('a', { name: 'New' }), service('b')), 'a')).toBe('update you -')
  })

  test('drift that an older reviewed plan did not name stays drift', async () => {
    const next = services(service('a'), service('b', { name: 'New' }))
    const reviewed = await plan(domain(), next)
    await update('a', { name: 'Other' })
    await applyImport(domain(), { document: next, settings: NO_SETTINGS, plan: reviewed, origin: {} })
    expect(await causeOf(next, 'a')).toBe('update drift grace')
  })

  test('drift stays drift when an apply that did not touch it is rolled back', async () => {
    const { uuid } = await applyAll(domain(), services(service('a'), service('b', { name: 'New' })))
    await update('a', { name: 'Other' })
    const settings = acknowledging((await planRollback(domain(), uuid, NO_SETTINGS)).plan)
    const { plan: inverse } = await planRollback(domain(), uuid, settings)
    await applyImport(domain(), { document: {}, settings, plan: inverse, origin: { rollbackOf: uuid } })
    expect(await causeOf(base, 'a')).toBe('update drift grace')
  })

  test('a cause does not change the digest of the plan: what is done is the same', async () => {
    const next = services(service('a', { name: 'New' }), service('b'))
    const before = await plan(domain(), next)
    await update('a', { name: 'Other' })
    await update('a', { name: 'Name' })
    await createRecord(somebody(), 'services', service('c'), [])
    await deleteRecord(somebody(), 'services', 'c', [])
    expect((await plan(domain(), next)).digest).toBe(before.digest)
  })
})

test('in a type that no apply manages nothing drifts', async () => {
  await createRecord(somebody(), 'services', service('a'), [])
  await update('a', { name: 'Other' })
  expect(await causeOf(services(service('a')), 'a')).toBe('update you -')
})

test('in a type that was released nothing drifts, even when it is managed again', async () => {
  await applyAll(domain(), base)
  await applyAll(domain(), {})
  await update('a', { name: 'Other' })
  expect(await causeOf(base, 'a')).toBe('update you -')
})

const linkCause = async (document: object) => {
  const { action, cause, drift } = changeOf(await plan(domain(), document), 'characteristicServiceLinks', 't/climate')
  return `${action} ${cause} ${drift?.actor ?? '-'}`
}

describe('of links', () => {
  const ends = { characteristics: examples('characteristics', ['t']), services: examples('services', ['climate']) }
  const linked = { ...ends, services: [{ ...ends.services[0], characteristics: [{ code: 't' }] }] }
  const link = { characteristicCode: 't', serviceCode: 'climate' }

  test('a link that somebody deleted is drift', async () => {
    await applyAll(domain(), linked)
    await deleteRecord(somebody(), 'characteristicServiceLinks', 't/climate', [])
    expect(await linkCause(linked)).toBe('create drift grace')
  })

  test('a link that somebody made is drift where the key is managed', async () => {
    const document = { ...ends, characteristicServiceLinks: [] }
    await applyAll(domain(), document)
    await createRecord(somebody(), 'characteristicServiceLinks', link, [])
    expect(await linkCause(document)).toBe('delete drift grace')
  })

  test('a link that went with its deleted service is drift, as the service is', async () => {
    await applyAll(domain(), linked)
    await deleteRecord(somebody(), 'services', 'climate', [])
    expect(await linkCause(linked)).toBe('create drift grace')
  })
})

const organizations = (alias: string, fields: JsonObject) => ({ organizations: [{ alias, name: 'A', ...fields }] })
const unitCause = async (document: object, key: string) => {
  const { cause, drift } = changeOf(await plan(domain(), document), 'organizations', key)
  return `${cause} ${drift?.actor ?? '-'}`
}
const changeUnit = () =>
  updateRecord(somebody(), 'organizations', 'a', { organizationUnits: [{ alias: 'u', name: 'Other' }] }, [])

describe('in a list that the document leaves out', () => {
  const units = { organizationUnits: [{ alias: 'u', name: 'Unit', directChildren: [] }] }

  beforeEach(() => applyAll(domain(), organizations('a', units)))

  test('drift of a unit outlives an apply of its organization', async () => {
    await changeUnit()
    await applyAll(domain(), organizations('a', { name: 'New' }))
    expect(await unitCause(organizations('a', { name: 'New', ...units }), 'a/u')).toBe('drift grace')
  })

  test('it goes along where the organization is renamed', async () => {
    await changeUnit()
    const moved = [{ type: 'organizations' as const, from: 'a', to: 'b' }]
    await applyAll(domain(), organizations('b', {}), { ...NO_SETTINGS, moved })
    expect(await unitCause(organizations('b', units), 'b/u')).toBe('drift grace')
  })

  const [climate, other] = examples('services', ['climate', 'other'])
  const spelled = { ...other, characteristics: [] }
  const models = (...list: readonly object[]) => ({
    characteristics: examples('characteristics', ['t']),
    services: [...list, spelled],
  })
  const unlinked = models({ ...climate, characteristics: [] })
  const linked = models({ ...climate, characteristics: [{ code: 't' }] })

  test('drift of a link that somebody made outlives an apply that leaves its service alone', async () => {
    await applyAll(domain(), unlinked)
    await createRecord(
      somebody(),
      'characteristicServiceLinks',
      { characteristicCode: 't', serviceCode: 'climate' },
      [],
    )
    await applyAll(domain(), models({ ...climate, name: 'New' }))
    expect(await linkCause(unlinked)).toBe('delete drift grace')
  })

  test('so does that of a link that somebody deleted', async () => {
    await applyAll(domain(), linked)
    await deleteRecord(somebody(), 'characteristicServiceLinks', 't/climate', [])
    await applyAll(domain(), models({ ...climate, name: 'New' }))
    expect(await linkCause(linked)).toBe('create drift grace')
  })

  test('it ends where the apply deletes the service', async () => {
    await applyAll(domain(), linked)
    await deleteRecord(somebody(), 'characteristicServiceLinks', 't/climate', [])
    await applyAll(domain(), models())
    expect(await linkCause(linked)).toBe('create you -')
  })
})

test('drift that an older reviewed plan did not name stays drift where the document renames the record', async () => {
  await applyAll(domain(), base)
  const reviewed = await plan(domain(), services(service('a'), service('b', { name: 'New' })))
  await update('a', { name: 'Other' })
  const document = services(service('c'), service('b', { name: 'New' }))
  const settings = { ...NO_SETTINGS, moved: [{ type: 'services' as const, from: 'a', to: 'c' }] }
  await applyImport(domain(), { document, settings, plan: reviewed, origin: {} })
  expect(await causeOf(services(service('a'), service('b', { name: 'New' })), 'a')).toBe('update drift grace')
})

const machineUsers = (password: string) => ({
  machineUsers: [{ username: 'gateway', password: `${password}-0123456789-0123456789` }],
})

test('a secret that somebody replaced is drift', async () => {
  const cause = async (password: string) =>
    changeOf(await plan(domain(), machineUsers(password)), 'machineUsers', 'gateway').cause
  await applyAll(domain(), machineUsers('first'))
  expect(await cause('second')).toBe('you')
  await updateRecord(somebody(), 'machineUsers', 'gateway', { password: 'another-0123456789-0123456789' }, [])
  expect(await cause('first')).toBe('drift')
})

test('a secret is changed by who replaced it, whatever else somebody changed', async () => {
  const archived = (password: string) => ({
    machineUsers: [{ ...machineUsers(password).machineUsers[0], status: 'ARCHIVED' }],
  })
  const cause = async (password: string) =>
    changeOf(await plan(domain(), archived(password)), 'machineUsers', 'gateway').cause
  await applyAll(domain(), machineUsers('first'))
  await updateRecord(somebody(), 'machineUsers', 'gateway', { status: 'ARCHIVED' }, [])
  expect(await cause('second')).toBe('you')
  await updateRecord(somebody(), 'machineUsers', 'gateway', { password: 'another-0123456789-0123456789' }, [])
  expect(await cause('first')).toBe('drift')
})

test('the time of the last change is told with the person', async () => {
  await applyAll(domain(), base)
  const at = new Date('2026-05-01T10:00:00Z')
  await updateRecord({ ...somebody(), now: () => at }, 'services', 'a', { name: 'Other' }, [])
  expect(changeOf(await plan(domain(), base), 'services', 'a').drift).toEqual({
    actor: 'grace',
    at: '2026-05-01T10:00:00.000Z',
  })
})
