import { describe, expect, it } from 'vitest'
import { differenceOf } from '../../src/documents/base-document.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import type { Plan } from '../../src/plan/plan.ts'
import { ownSentences } from '../../src/plan/render/own-text.ts'
import { Datapoints } from '../../src/platform/datapoints/datapoints.ts'
import { applyImport } from '../../src/platform/imports/applying/apply-import.ts'
import { planImport, READS_ALL } from '../../src/platform/imports/planning/plan-import.ts'
import { createRecord, updateRecord } from '../../src/platform/records/change-record.ts'
import { recordId } from '../../src/records/record-id.ts'
import { NO_SETTINGS, type Move, type Settings } from '../../src/records/settings.ts'
import { applyAll, plan } from '../support/domain.ts'
import { validPlan } from '../support/valid-plan.ts'
import { makeSite, SITE_MODEL } from '../support/site.ts'
import { oneDomain } from './one-domain.ts'

// A plan of what a document changes of another one, which the platform may lack (docs/decisions/0044).

const domain = oneDomain()

const characteristic = (code: string, name = code): JsonObject => ({
  code,
  name,
  characteristicType: 'MEASUREMENT',
  dataType: 'FLOAT',
})
const service = (code: string, ...links: readonly string[]): JsonObject => ({
  code,
  name: code,
  characteristics: links.map((link) => ({ code: link })),
})
const user = (email: string): JsonObject => ({ email })
const organization = (...units: readonly string[]): JsonObject => ({
  alias: 'o',
  name: 'O',
  organizationUnits: units.map((alias) => ({ alias, name: alias })),
})

function moved(from: string, to: string): Move {
  return { type: 'characteristics', from, to }
}

interface Sides {
  readonly settings?: Partial<Settings>
  readonly before?: Partial<Settings>
  readonly reader?: typeof READS_ALL
}

async function planned(base: JsonObject, document: JsonObject, sides: Sides = {}): Promise<Plan> {
  const { settings = {}, before = settings, reader = READS_ALL } = sides
  const sent = { document: differenceOf(document, base), settings: before }
  const made = await planImport(domain(), document, { ...NO_SETTINGS, ...settings }, reader, { base: sent })
  return validPlan(made.plan)
}

function apply(document: JsonObject, made: Plan, settings: Partial<Settings> = {}) {
  return applyImport(domain(), { document, settings: { ...NO_SETTINGS, ...settings }, plan: made, origin: {} })
}

function changes({ changes: all, access }: Plan): string[] {
  return [...all, ...access.changes].map((change) => `${change.action} ${recordId(change)}`)
}

/** That of `makeSite`, where the temperature has another key. */
function siteModel(key: string, definition: object = {}): JsonObject {
  const text = JSON.stringify(SITE_MODEL).replaceAll('"code":"temperature"', `"code":"${key}"`)
  const { characteristics, ...rest } = JSON.parse(text) as { characteristics: JsonObject[] }
  return {
    ...rest,
    characteristics: characteristics.map((one) => (one['code'] === key ? { ...one, ...definition } : one)),
  }
}

const A = { characteristics: [characteristic('a')] }

describe('what a document changes of a base that the platform does not have yet', () => {
  it('is a link, and the links that a list takes in', async () => {
    const base = { ...A, services: [service('s', 'a')] }
    const made = await planned(base, { ...base, services: [service('s')] })
    expect(changes(made)).toEqual(['delete characteristicServiceLinks/a/s'])
    expect(made.own).toMatchObject({ scope: [], waiting: { count: 3 }, drifted: 0 })
    expect(made.own?.waitsFor.map(recordId)).toEqual(['characteristicServiceLinks/a/s'])
  })

  it('is a unit, and waits for the one above it', async () => {
    const made = await planned({ organizations: [organization()] }, { organizations: [organization('u')] })
    expect(changes(made)).toEqual(['create organizations/o/u'])
    expect(made.own?.waitsFor.map(recordId)).toEqual(['organizations/o'])
  })

  it('is a grant', async () => {
    const base = { organizations: [organization()], users: [user('ana@example.org')] }
    await applyAll(domain(), base)
    const grant = { role: 'viewer', user: 'ana@example.org' }
    const access = { access: [grant] }
    const made = await planned(base, base, { settings: access, before: {} })
    expect(changes(made)).toHaveLength(1)
    expect(made.own?.scope).toEqual(['access'])
    const waiting = await planned(base, { ...base, organizations: [organization('u')] }, { settings: access })
    expect(changes(waiting)).toEqual(['create organizations/o/u'])
    expect(waiting.own).toMatchObject({ scope: [], waiting: { count: 1 } })
  })

  it('is a move, of which only one’s own is made', async () => {
    await applyAll(domain(), { characteristics: [characteristic('a'), characteristic('b')] })
    const base = { characteristics: [characteristic('a2', 'a'), characteristic('b')] }
    const document = { characteristics: [characteristic('a2', 'a'), characteristic('b2', 'b')] }
    const both = { moved: [moved('a', 'a2'), moved('b', 'b2')] }
    const made = await planned(base, document, { settings: both, before: { moved: [moved('a', 'a2')] } })
    expect(changes(made)).toEqual(['move characteristics/b2'])
    expect(made.own).toMatchObject({ waiting: { count: 1, records: [{ action: 'move', key: 'a2', from: 'a' }] } })
    await apply(document, made, both)
    expect(changes(await plan(domain(), document, { ...NO_SETTINGS, ...both }))).toEqual(['move characteristics/a2'])
  })

  it('takes over no type that the base takes over, and the guards of the base are not asked again', async () => {
    await createRecord({ ...domain(), actorName: 'grace' }, 'services', { code: 'old', name: 'Old' }, [])
    const base = { ...A, services: [service('s')] }
    const document = { ...base, services: [service('s'), service('t')] }
    const acknowledge = [{ code: 'takes-over', type: 'services' as const, reason: 'Ours' }]
    const made = await planned(base, document, { settings: { acknowledge } })
    expect(changes(made)).toEqual(['create services/t'])
    expect(made).toMatchObject({ outcome: 'changes', diagnostics: [], own: { scope: [] } })
    await apply(document, made, { acknowledge })
    const rest = await plan(domain(), document, { ...NO_SETTINGS, acknowledge })
    expect(rest.scope.find(({ type }) => type === 'services')?.previously).toBeNull()
    expect(changes(rest)).toEqual(['create characteristics/a', 'delete services/old', 'create services/s'])
  })

  it('leaves drift alone, but for records that it changes', async () => {
    const base = { characteristics: [characteristic('a'), characteristic('b')] }
    await applyAll(domain(), base)
    for (const code of ['a', 'b'])
      await updateRecord({ ...domain(), actorName: 'grace' }, 'characteristics', code, { name: 'Other' }, [])
    const made = await planned(base, { characteristics: [characteristic('a', 'New'), characteristic('b')] })
    expect(changes(made)).toEqual(['update characteristics/a'])
    expect(made.changes[0]).toMatchObject({ cause: 'both' })
    expect(made.own).toMatchObject({ waiting: { count: 0 }, drifted: 1 })
    const nothing = await planned(base, base)
    expect(nothing).toMatchObject({ outcome: 'no-changes', own: { drifted: 2 } })
  })

  it('says what is not compared and what somebody changed below its own records, and counts the others', async () => {
    const base = { users: [user('ann@example.org')], machineUsers: [{ username: 'm', password: 'Pass-one-4821-Kx' }] }
    await applyAll(domain(), base)
    await updateRecord({ ...domain(), actorName: 'grace' }, 'users', 'ann@example.org', { name: 'Eve' }, [])
    const unknown = { ...base, machineUsers: [{ username: 'm', password: '${env:NOWHERE}' }] }
    const other = await planned(unknown, { ...unknown, users: [...base.users, user('bob@example.org')] })
    expect(other).toMatchObject({ own: { drifted: 1, notCompared: 1 } })
    expect([other.drift, other.notCompared, other.summary.notCompared]).toEqual([undefined, undefined, undefined])
    const named = { ...unknown, users: [{ ...user('ann@example.org'), status: 'DEACTIVATED' }] }
    const theirs = await planned(unknown, named)
    expect(theirs).toMatchObject({ drift: [{ key: 'ann@example.org', field: 'name' }], own: { drifted: 0 } })
    const own = await planned({ users: base.users }, unknown)
    expect(own).toMatchObject({ notCompared: [{ key: 'm' }], own: { drifted: 1 } })
    expect(own.own?.notCompared).toBeUndefined()
  })

  it('has the guards about data, which is behind the keys that records have until then', async () => {
    const site = await makeSite(domain(), 1)
    const datapoints = new Datapoints({ ...domain(), isAlone: true })
    const who = { domainId: domain().domain.id, actor: 'tester', systemUuid: null, units: null }
    await datapoints.ingest.add(who, [site.point('temperature', 70), site.point('temperature', 7)])
    const settings = { moved: [moved('temperature', 'warmth')] }
    const made = await planned(siteModel('warmth'), siteModel('warmth', { boundaryMax: 9 }), { settings })
    const message = 'boundaryMax is new: at least 1 stored datapoint of 1 system would no longer fit'
    expect(made.changes).toMatchObject([
      { key: 'warmth', impact: { datapoints: 2 }, guards: [{ code: 'invalidates-data', message }] },
    ])
    expect(made.own?.waitsFor.map(recordId)).toContain('characteristics/warmth')
    await datapoints.close()
  })

  it('withholds nobody whom the base names', async () => {
    const base = { users: [user('ann@example.org'), user('bob@example.org')] }
    await applyAll(domain(), base)
    const document = { ...base, users: [user('bob@example.org')] }
    const made = await planned(base, document, { reader: { readsModel: false, readsData: false } })
    expect(changes(made)).toEqual(['delete users/ann@example.org'])
    expect(made.withheld).toBeUndefined()
    expect(await apply(document, made)).toMatchObject({ summary: { delete: 1 } })
  })

  it('is everything where the base is wrong itself, which the plan says', async () => {
    const made = await planned({ services: [service('s', 'nowhere')], characteristics: [] }, A)
    expect(changes(made)).toEqual(['create characteristics/a'])
    expect(made.own).toBeUndefined()
    expect(made.diagnostics).toMatchObject([{ code: 'no-base', severity: 'warning' }])
  })

  it('is told to be done already where it was applied and the base does not have it yet', async () => {
    const base = { characteristics: [characteristic('b'), characteristic('c')] }
    const document = { characteristics: [characteristic('c2', 'c'), characteristic('d')] }
    const sides = { settings: { moved: [moved('c', 'c2')] }, before: {} }
    await applyAll(domain(), base)
    const early = await planned(base, document, sides)
    await apply(document, early, sides.settings)
    const again = await planned(base, document, sides)
    expect(`${again.digest} ${ownSentences(again)[0]}`).toContain(`${early.digest} Done already: 3 of`)
  })

  it('has the same digest before and after what waits is applied', async () => {
    const base = { ...A, services: [service('s')] }
    const document = { ...base, services: [service('s', 'a')] }
    const early = await planned(base, document)
    await expect(apply(document, early)).rejects.toMatchObject({
      code: 'STALE_PLAN',
      details: [
        { key: 'a', code: 'waits' },
        { key: 's', code: 'waits' },
      ],
    })
    await applyAll(domain(), base)
    expect((await planned(base, document)).digest).toBe(early.digest)
    expect(await apply(document, early)).toMatchObject({ recorded: true, summary: { create: 1 } })
    expect(await apply(document, early)).toMatchObject({ recorded: false, summary: { create: 0, done: 1 } })
  })
})

describe('an artifact that somebody has put in the place of the reviewed one', () => {
  const LINKED = { ...A, services: [service('s', 'a')] }
  const APART = { ...A, services: [service('s')] }

  it('is refused where what it refers to is left out, or is as it is now, or where it is of everything', async () => {
    await applyAll(domain(), APART)
    const made = await planned(APART, LINKED)
    await updateRecord({ ...domain(), actorName: 'grace' }, 'characteristics', 'a', { name: 'Other' }, [])
    await expect(apply(LINKED, made)).rejects.toMatchObject({ code: 'STALE_PLAN', details: [{ key: 'a' }] })
    const later = await planned(APART, LINKED)
    expect(later.digest).not.toBe(made.digest)
    const { own: _, ...whole } = made
    const altered = [
      { ...made, references: [] },
      { ...made, references: made.references.slice(1) },
      { ...made, references: later.references },
      { ...whole, scope: [] },
      { ...made, own: { ...made.own, scope: ['services'] } },
    ]
    for (const plan of altered)
      await expect(apply(LINKED, plan as Plan)).rejects.toMatchObject({
        code: 'BAD_USER_INPUT',
        message: expect.stringContaining('the plan was altered'),
      })
  })

  interface Rest {
    /** What the platform has. */
    readonly before: JsonObject
    /** What is merged, and waits. */
    readonly base: JsonObject
    readonly document: JsonObject
  }
  const NEW = { characteristics: [characteristic('a', 'New')] }
  it.each<[string, Rest]>([
    ['refers to what is to be made', { before: {}, base: APART, document: LINKED }],
    ['refers to what is to be changed', { before: APART, base: { ...APART, ...NEW }, document: { ...LINKED, ...NEW } }],
    [
      'changes what is to be changed',
      { before: A, base: NEW, document: { characteristics: [characteristic('a', 'Newer')] } },
    ],
    ['makes again what is to be deleted', { before: A, base: { characteristics: [] }, document: NEW }],
    [
      'deletes what is to be left by a link',
      { before: LINKED, base: APART, document: { characteristics: [], services: [service('s')] } },
    ],
  ])('waits or is stale where it %s, also where it does not say so', async (_, { before, base, document }) => {
    await applyAll(domain(), before)
    const made = await planned(base, document)
    expect(made.own?.waitsFor).not.toEqual([])
    const silent = { ...made, own: { ...made.own!, waitsFor: [], waiting: { count: 0, records: [] } } }
    await expect(apply(document, made)).rejects.toMatchObject({ code: 'STALE_PLAN' })
    await expect(apply(document, silent)).rejects.toMatchObject({ code: 'STALE_PLAN' })
  })
})

it('a plan that is known by its digest alone is stale where what it refers to has moved', async () => {
  await applyAll(domain(), { ...A, services: [service('s')] })
  const document = { characteristicServiceLinks: [{ characteristicCode: 'a', serviceCode: 's' }] }
  const isPartial = true
  const { digest, domain: name } = (await planImport(domain(), document, NO_SETTINGS, READS_ALL, { isPartial })).plan
  const reviewed = { formatVersion: 1, domain: name, digest, scope: [], references: [] }
  await updateRecord({ ...domain(), actorName: 'grace' }, 'characteristics', 'a', { name: 'Other' }, [])
  const request = { document, settings: NO_SETTINGS, plan: reviewed, origin: {}, isPartial }
  await expect(applyImport(domain(), request)).rejects.toMatchObject({ code: 'STALE_PLAN' })
})

it('a base that is none is refused', async () => {
  const wrong = planImport(domain(), A, {}, READS_ALL, { base: { document: { characteristics: { without: 'x' } } } })
  await expect(wrong).rejects.toMatchObject({ code: 'BAD_USER_INPUT', message: expect.stringMatching(/^base: /) })
})
