import { beforeEach, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/lib/json.ts'
import type { Plan } from '../../../src/plan/plan.ts'
import { applyImport } from '../../../src/platform/imports/applying/apply-import.ts'
import { createRecord, deleteRecord } from '../../../src/platform/records/change-record.ts'
import { exportAccess, exportDocument } from '../../../src/platform/imports/export-document.ts'
import { planImport } from '../../../src/platform/imports/planning/plan-import.ts'
import { planRollback } from '../../../src/platform/imports/applying/roll-back.ts'
import { NO_SETTINGS, type Settings } from '../../../src/records/settings.ts'
import { SAMPLED_DATABASES } from '../../support/databases.ts'
import { acknowledging, applyAll, plan } from '../../support/domain.ts'
import { setGrants } from '../../support/grants.ts'
import { oneDomain } from '../one-domain.ts'
import { addOperator } from './operator.ts'

const ANNA = { email: 'anna@example.com', name: 'Anna' }
const BERT = { email: 'bert@example.com', name: 'Bert' }
const LINDENHOF = { name: 'Lindenhof', alias: 'lindenhof', organizationUnits: [{ name: 'North', alias: 'north' }] }
const MODEL = { users: [ANNA, BERT], organizations: [LINDENHOF] }

const withAccess = (...access: readonly JsonObject[]): Settings => ({ ...NO_SETTINGS, access })
const administrator = { role: 'administrator', user: ANNA.email }
const editor = { role: 'editor', user: ANNA.email }
const viewer = { role: 'viewer', user: BERT.email, within: 'lindenhof/north' }

const ofGrants = ({ access }: Plan) => access.changes.map(({ action, key }) => `${action} ${key}`)
/** Who could do more, where the guard stops that. */
const guarded = ({ access }: Plan) =>
  access.guards.some(({ code, acknowledged }) => code === 'widens-access' && !acknowledged)
    ? (access.diff?.changes ?? []).filter(({ gains }) => gains.length > 0).map(({ message }) => message)
    : []

const units = (...list: JsonObject[]) => ({ organizations: [{ ...LINDENHOF, organizationUnits: list }] })

function twoOrganizations(ofA: readonly object[], ofB: readonly object[]) {
  return [
    { alias: 'a', name: 'A', organizationUnits: ofA },
    { alias: 'b', name: 'B', organizationUnits: ofB },
  ]
}

describe.each(SAMPLED_DATABASES)('grants as code on $name', (kind) => {
  const domain = oneDomain(kind)
  const current = (settings: Settings, document: object = MODEL) => plan(domain(), document, settings)
  // What a new domain grants to everyone is not what is looked at here.
  beforeEach(() => setGrants(domain(), []))

  test('are given, stay, and are taken back', async () => {
    const settings = withAccess(administrator, viewer)
    const first = await current(settings)
    expect(ofGrants(first)).toEqual([
      'create administrator/user/anna@example.com',
      'create viewer/user/bert@example.com/within/lindenhof~1north',
    ])
    expect(first.access).toMatchObject({ state: 'managed', previously: null, desired: 2, actual: 0 })
    await applyAll(domain(), MODEL, settings)
    const again = await current(settings)
    expect(again).toMatchObject({ outcome: 'no-changes', access: { previously: 'managed', actual: 2, changes: [] } })
    await applyAll(domain(), MODEL, withAccess(administrator))
    expect(await exportAccess(domain())).toEqual([administrator])
  })

  test('an export plans to nothing', async () => {
    await applyAll(domain(), MODEL, withAccess(administrator, viewer))
    const exported = { ...NO_SETTINGS, access: await exportAccess(domain()) }
    expect((await plan(domain(), await exportDocument(domain(), null), exported)).outcome).toBe('no-changes')
  })

  test('a rollback gives back and takes back', async () => {
    await applyAll(domain(), MODEL, withAccess(editor))
    const { uuid } = await applyAll(domain(), MODEL, withAccess(viewer))
    const { plan: inverse } = await planRollback(domain(), uuid, NO_SETTINGS)
    expect(ofGrants(inverse)).toEqual([
      'create editor/user/anna@example.com',
      'delete viewer/user/bert@example.com/within/lindenhof~1north',
    ])
    const request = { document: {}, settings: acknowledging(inverse), plan: inverse, origin: { rollbackOf: uuid } }
    await applyImport(domain(), request)
    expect(await exportAccess(domain())).toEqual([editor])
  })

  test('go with their user, and follow one who has another address', async () => {
    await applyAll(domain(), MODEL, withAccess(administrator, viewer))
    const gone = await current(NO_SETTINGS, { users: [ANNA] })
    expect(gone.access.changes).toMatchObject([{ action: 'delete', reason: 'users/bert@example.com is deleted' }])
    const renamed = { ...ANNA, email: 'anne@example.com' }
    const settings: Settings = {
      ...withAccess({ ...administrator, user: renamed.email }, viewer),
      moved: [{ type: 'users', from: ANNA.email, to: renamed.email }],
    }
    const moved = await applyAll(domain(), { users: [renamed, BERT] }, settings)
    expect(moved.recorded).toBe(true)
    expect((await exportAccess(domain()))[0]).toEqual({ ...administrator, user: renamed.email })
    const { plan: inverse } = await planRollback(domain(), moved.uuid, NO_SETTINGS)
    expect(ofGrants(inverse)).toEqual(['move administrator/user/anna@example.com'])
  })

  test('follow a unit that has another key', async () => {
    await applyAll(domain(), MODEL, withAccess(viewer))
    const organizations = [{ name: 'Linden', alias: 'linden', organizationUnits: [{ name: 'South', alias: 'south' }] }]
    const settings: Settings = {
      ...NO_SETTINGS,
      moved: [
        { type: 'organizations', from: 'lindenhof', to: 'linden' },
        { type: 'organizations', from: 'lindenhof/north', to: 'linden/south' },
      ],
    }
    await applyAll(domain(), { organizations }, settings)
    expect(await exportAccess(domain())).toEqual([{ ...viewer, within: 'linden/south' }])
  })

  test('a plan is executed exactly, or refused as stale', async () => {
    const settings = withAccess(administrator)
    const reviewed = await current(settings)
    const request = { document: MODEL, settings: acknowledging(reviewed, settings), plan: reviewed, origin: {} }
    const altered = { ...reviewed, access: { ...reviewed.access, changes: [] } }
    await expect(applyImport(domain(), { ...request, plan: altered })).rejects.toMatchObject({ code: 'BAD_USER_INPUT' })
    const { access: _, ...without } = reviewed
    await expect(applyImport(domain(), { ...request, plan: without })).rejects.toMatchObject({ code: 'BAD_USER_INPUT' })
    const other = { ...request, settings: { ...request.settings, access: [] } }
    await expect(applyImport(domain(), other)).rejects.toMatchObject({ code: 'STALE_PLAN' })
    await applyImport(domain(), request)
    expect(await exportAccess(domain())).toEqual([administrator])
  })

  test('a single change is drift where they are managed', async () => {
    await applyAll(domain(), MODEL, withAccess(editor))
    await createRecord(domain(), 'access', viewer, [])
    await deleteRecord(domain(), 'access', 'editor/user/anna@example.com', [])
    const drifted = await current(withAccess(editor))
    expect(drifted.access.changes.map(({ action, cause, drift }) => [action, cause, drift?.actor])).toEqual([
      ['create', 'drift', 'tester'],
      ['delete', 'drift', 'tester'],
    ])
  })

  test('an absent list leaves them alone, and that is guarded where they were managed', async () => {
    await createRecord(domain(), 'access', { role: 'viewer', everyone: 'machineUsers' }, [])
    expect((await current(NO_SETTINGS)).access).toMatchObject({
      state: 'unmanaged',
      actual: 1,
      guards: [],
      changes: [],
    })
    const takenOver = await current(withAccess(administrator))
    expect(takenOver.access.guards).toMatchObject([{ code: 'takes-over' }, { code: 'widens-access' }])
    await applyAll(domain(), MODEL, withAccess(administrator))
    expect((await current(NO_SETTINGS)).access).toMatchObject({ state: 'released', guards: [{ code: 'leaves-scope' }] })
    expect((await current(withAccess())).access).toMatchObject({ state: 'emptied', guards: [{ code: 'empties-type' }] })
  })

  test('what gives more is guarded, what takes its place is not', async () => {
    const settings = withAccess(administrator, viewer)
    await applyAll(domain(), MODEL)
    const planned = await current(settings)
    expect(guarded(planned)).toEqual([
      'anna@example.com would become administrator in the whole domain',
      'bert@example.com would become viewer within lindenhof/north',
    ])
    const digest = planned.access.diff?.digest ?? ''
    const acknowledged: Settings = { ...settings, acknowledge: [{ code: 'widens-access', type: 'access', digest }] }
    expect(guarded(await current(acknowledged))).toEqual([])
    await applyAll(domain(), MODEL, settings)
    const narrower = withAccess({ role: 'editor', user: ANNA.email, within: 'lindenhof' }, viewer)
    expect(guarded(await current(narrower))).toEqual([])
    const wider = { ...acknowledged, access: [administrator, { ...viewer, within: 'lindenhof' }] }
    const stillOpen = await current(wider)
    expect(guarded(stillOpen)).toEqual(['bert@example.com would become viewer within lindenhof'])
    expect(stillOpen.diagnostics).toMatchObject([{ code: 'unused-acknowledgement' }])
  })

  test('what everybody had is not more for one of them, except for who is new', async () => {
    await applyAll(domain(), MODEL, withAccess(administrator, { role: 'operator', everyone: 'users' }))
    const narrower = withAccess(administrator, { role: 'viewer', user: BERT.email }, viewer)
    expect(guarded(await current(narrower))).toEqual([])
    const carl = { email: 'carl@example.com', name: 'Carl' }
    const document = { ...MODEL, users: [ANNA, BERT, carl] }
    const more = withAccess(administrator, { role: 'editor', user: BERT.email }, { role: 'viewer', user: carl.email })
    expect(guarded(await current(more, document))).toEqual([
      'carl@example.com would become viewer in the whole domain',
      'bert@example.com would become editor in the whole domain',
    ])
  })

  test('an organization that somebody comes to, and a unit that comes below another, give more too', async () => {
    const tower = { name: 'Tower', alias: 'tower', organizationUnits: [] }
    const organizations = [LINDENHOF, tower]
    const access = [
      { role: 'operator', organization: 'lindenhof' },
      { role: 'viewer', user: BERT.email, within: 'tower' },
      { role: 'viewer', everyone: 'users', withinOwnOrganization: true },
    ]
    await applyAll(domain(), { ...MODEL, organizations }, withAccess(...access))
    const anna = { ...ANNA, organization: { alias: 'lindenhof' } }
    const joined = await current(withAccess(...access), { organizations, users: [anna, BERT] })
    expect(guarded(joined)).toEqual(['anna@example.com would become operator in the whole domain: comes to lindenhof'])
    const nested = [
      { ...LINDENHOF, organizationUnits: [] },
      { ...tower, organizationUnits: [{ name: 'North', alias: 'north' }] },
    ]
    const moved: Settings = {
      ...withAccess(...access),
      moved: [{ type: 'organizations', from: 'lindenhof/north', to: 'tower/north' }],
    }
    expect(guarded(await current(moved, { organizations: nested, users: [ANNA, BERT] }))).toEqual([
      'bert@example.com would become viewer within tower/north',
      'everyone of tower would become viewer within tower/north',
    ])
  })

  test('the last administrator stays, except where the platform has an operator of its own', async () => {
    await applyAll(domain(), MODEL, withAccess(administrator))
    const codes = async (settings: Settings, document: object = MODEL) =>
      (await current(settings, document)).diagnostics.map(({ code }) => code)
    expect(await codes(withAccess(viewer))).toEqual(['last-administrator'])
    expect(await codes(withAccess(administrator), { users: [{ ...ANNA, status: 'ARCHIVED' }, BERT] })).toEqual([
      'last-administrator',
    ])
    expect(await codes(withAccess({ role: 'administrator', user: BERT.email }))).toEqual([])
    expect(await codes(NO_SETTINGS, { users: [ANNA] })).toEqual([])
    expect(await codes(NO_SETTINGS, { users: [BERT] })).toEqual(['last-administrator'])
    const remove = deleteRecord(domain(), 'access', 'administrator/user/anna@example.com', [])
    await expect(remove).rejects.toMatchObject({ code: 'BLOCKED' })
    await addOperator(domain())
    expect(await codes(withAccess(viewer))).toEqual([])
  })

  test('whoever may not change access applies everything else', async () => {
    await applyAll(domain(), MODEL, withAccess(viewer))
    const apply = async (document: object, settings: Settings) => {
      const reviewed = await current(settings, document)
      const request = { document, settings: acknowledging(reviewed, settings), plan: reviewed, origin: {} }
      return applyImport({ ...domain(), mayChangeAccess: false }, request)
    }
    const north = { name: 'North', alias: 'north' }
    await apply({ ...MODEL, services: [{ code: 'climate', name: 'Climate' }] }, withAccess(viewer))
    await apply(units(north, { name: 'East', alias: 'east' }), withAccess(viewer))
    const below = { ...north, directChildren: [{ name: 'Attic', alias: 'attic' }] }
    for (const [document, settings] of [
      [MODEL, withAccess(viewer, administrator)],
      [{ users: [ANNA, BERT, { email: 'eve@example.com', name: 'Eve' }] }, withAccess(viewer)],
      [units(below), withAccess(viewer)],
      [{ organizations: [{ ...LINDENHOF, organizationUnits: [] }] }, NO_SETTINGS],
      [MODEL, NO_SETTINGS],
    ] as const) {
      await expect(apply(document, settings)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    }
  })

  test('nothing takes the place of what the platform has for itself', async () => {
    const machineUsers = [{ username: 'operator', password: 'Kd02mfPq71LxZr5Tn3vWy9B' }]
    const { plan: refused, pointers } = await planImport(domain(), { machineUsers }, NO_SETTINGS)
    expect(refused.diagnostics).toMatchObject([{ code: 'reserved-key', pointer: '/machineUsers/0/username' }])
    expect(pointers.get('machineUsers/operator')).toBe('/machineUsers/0')
    const created = createRecord(domain(), 'machineUsers', machineUsers[0] ?? {}, [])
    await expect(created).rejects.toMatchObject({ code: 'BLOCKED' })
  })

  test('mistakes are found with their places', async () => {
    const settings = { access: [{ role: 'viewer', user: 'ana@example.com' }, administrator, administrator] }
    const refused = planImport(domain(), MODEL, settings)
    await expect(refused).rejects.toMatchObject({
      details: [
        {
          code: 'dangling-reference',
          pointer: '/access/0/user',
          message:
            'there is no User "ana@example.com" in the models or on the platform: add it to users or correct the grant. Did you mean "anna@example.com"?',
        },
        { code: 'duplicate-identity', pointer: '/access/2' },
      ],
    })
    const inDocument = planImport(domain(), { access: [administrator] }, {})
    await expect(inDocument).rejects.toMatchObject({
      details: [{ code: 'unknown-key', message: expect.stringContaining('holdfast.yaml') as string }],
    })
  })

  test('a unit that comes into another organization is seen by its people: that is guarded, and nothing for editors', async () => {
    const unit = { alias: 'x', name: 'X' }
    await applyAll(domain(), { organizations: twoOrganizations([], [unit]) })
    await setGrants(domain(), [{ role: 'operator', everyone: 'users', withinOwnOrganization: true }])
    const document = { organizations: twoOrganizations([unit], []) }
    const settings = { ...NO_SETTINGS, moved: [{ type: 'organizations', from: 'b/x', to: 'a/x' } as const] }
    const made = await plan(domain(), document, settings)
    expect(guarded(made)).toEqual(['everyone of a would become operator within a/x'])
    const request = { document, settings: acknowledging(made, settings), plan: made, origin: {} }
    const editors = { ...domain(), mayChangeAccess: false }
    await expect(applyImport(editors, request)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })
})
