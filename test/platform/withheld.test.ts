import { describe, expect, test } from 'vitest'
import type { Grant } from '../../generated/settings.ts'
import { TEXT } from '../../src/db/columns.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { fitMarkdown } from '../../src/plan/render/markdown/fit-markdown.ts'
import { renderText } from '../../src/plan/render/text/render-text.ts'
import { applyImport } from '../../src/platform/imports/applying/apply-import.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { planImport, READS_ALL } from '../../src/platform/imports/planning/plan-import.ts'
import { planRollback } from '../../src/platform/imports/applying/roll-back.ts'
import { NO_SETTINGS } from '../../src/records/settings.ts'
import validators from '../../generated/validators.cjs'
import { SAMPLED_DATABASES } from '../support/databases.ts'
import { acknowledging, applyAll } from '../support/domain.ts'
import { setGrants } from '../support/grants.ts'
import { oneDomain } from './one-domain.ts'

// A plan is one plan with one digest, and shows its reader what that one may see: a pull request's token can plan, and
// must not thereby list everybody's address.

const PLANS_ONLY = { readsModel: false, readsData: false }

const MODEL = {
  organizations: [{ alias: 'corp', name: 'Corp' }],
  users: [
    { email: 'ann.canary@example.org', name: 'Ann Canary', organization: { alias: 'corp' } },
    { email: 'bob.canary@example.org' },
    { email: 'known@example.org', name: 'Known' },
  ],
  machineUsers: [{ username: 'canary-machine', password: 'Zq7-8Kd02mfPq71L-word' }],
}

const NEXT = { users: [{ email: 'known@example.org', name: 'Known by all' }], machineUsers: [], organizations: [] }

/** Every way in which a plan is shown. */
function shown(plan: Awaited<ReturnType<typeof planImport>>['plan']): string {
  return [JSON.stringify(plan), renderText(plan, { color: false, width: 100, next: null }), fitMarkdown(plan)].join(
    '\n',
  )
}

function twoOrganizations(ofA: readonly object[], ofB: readonly object[]) {
  return [
    { alias: 'a', name: 'A', organizationUnits: ofA },
    { alias: 'b', name: 'B', organizationUnits: ofB },
  ]
}

function planFor(context: DomainContext, reader: typeof READS_ALL) {
  return planImport(context, NEXT, null, reader)
}

describe.each(SAMPLED_DATABASES)('a plan for a reader who may plan and nothing else, on $name', (kind) => {
  const domain = oneDomain(kind)

  test('counts people and programs whom the document does not name, and names nobody', async () => {
    await applyAll(domain(), MODEL)
    const { plan } = await planFor(domain(), PLANS_ONLY)
    expect(shown(plan)).not.toMatch(/canary/i)
    expect(plan.withheld).toEqual([
      { type: 'machineUsers', action: 'delete', count: 1, stopped: 0 },
      { type: 'users', action: 'delete', count: 2, stopped: 0 },
    ])
    expect(plan.changes.find(({ key }) => key === 'known@example.org')).toMatchObject({ before: { name: 'Known' } })
    expect(renderText(plan, { color: false, width: 200, next: null })).toContain('2 of users to delete')
    expect(validators.plan(plan)).toBe(true)
  })

  test('has the digest that it has for everybody, and can be applied by it', async () => {
    await applyAll(domain(), MODEL)
    const [some, all] = [(await planFor(domain(), PLANS_ONLY)).plan, (await planFor(domain(), READS_ALL)).plan]
    expect(some.digest).toBe(all.digest)
    expect(shown(all)).toContain('ann.canary@example.org')
    const settings = acknowledging(all)
    await applyImport(domain(), { document: NEXT, settings, plan: some, origin: {} })
    expect((await planFor(domain(), READS_ALL)).plan.outcome).toBe('no-changes')
  })

  test('that undoes an apply names nobody either', async () => {
    const { uuid } = await applyAll(domain(), MODEL)
    const { plan } = await planRollback(domain(), uuid, NO_SETTINGS, PLANS_ONLY)
    expect(shown(plan)).not.toMatch(/canary/i)
    expect(plan.withheld?.length).toBeGreaterThan(0)
  })

  test('names nobody who seems to have another address now', async () => {
    const organization = { alias: 'corp' }
    const people = (names: readonly string[]) => names.map((name) => ({ email: `${name}@example.org`, organization }))
    await applyAll(domain(), { ...MODEL, users: people(['ann.canary', 'bob.canary', 'cid.canary']), machineUsers: [] })
    const document = { organizations: MODEL.organizations, users: people(['x1', 'x2', 'x3']) }
    expect(shown((await planImport(domain(), document, null, PLANS_ONLY)).plan)).not.toMatch(/canary/i)
    expect(shown((await planImport(domain(), document, null, READS_ALL)).plan)).toMatch(/canary/i)
  })

  test('says of a unit that moves where others may do more, and not who', async () => {
    const unit = { alias: 'x', name: 'X' }
    await applyAll(domain(), {
      users: [{ email: 'ann.canary@example.org' }],
      organizations: twoOrganizations([], [unit]),
    })
    await setGrants(domain(), [{ role: 'operator', user: 'ann.canary@example.org', within: 'a' }])
    const document = { organizations: twoOrganizations([unit], []) }
    const settings = { moved: [{ type: 'organizations', from: 'b/x', to: 'a/x' }] }
    const { plan } = await planImport(domain(), document, settings, PLANS_ONLY)
    expect(shown(plan)).not.toMatch(/canary/i)
    expect(plan.access).toMatchObject({ guards: [{ code: 'widens-access' }], diff: { changes: [], withheld: 1 } })
  })

  const within = 'gone'
  const claims = { groups: ['canary, the group "a"'] }
  const GRANTS: Grant[] = [
    { role: 'operator', user: 'ann.canary@example.org', within },
    { role: 'operator', machineUser: 'canary-machine', within },
    { role: 'viewer', identities: { issuer: 'https://canary.example', clientId: 'canary', claims }, within },
    { role: 'viewer', user: 'known@example.org', within },
    { role: 'editor', everyone: 'users', within },
  ]
  const GONE = { ...MODEL, organizations: [...MODEL.organizations, { alias: within, name: 'Gone' }] }
  const GRANTED = { ...NO_SETTINGS, access: GRANTS as unknown as JsonObject[] }
  const NAMED = { users: [{ email: 'known@example.org' }], organizations: MODEL.organizations }

  test('counts the grants that go with an organization, and names of them only whom the document names', async () => {
    await applyAll(domain(), GONE, GRANTED)
    const { plan } = await planImport(domain(), NAMED, null, PLANS_ONLY)
    expect(shown(plan)).not.toMatch(/canary/i)
    expect(plan.withheld).toContainEqual({ type: 'access', action: 'delete', count: 3, stopped: 0 })
    const left = ['editor/everyone/users/within/gone', 'viewer/user/known@example.org/within/gone']
    expect(plan.access.changes.map(({ key }) => key)).toEqual(left)
    expect(plan.changes.filter(({ key }) => key === within)).toMatchObject([
      { referrers: left.map((key) => ({ type: 'access', key })) },
    ])
    expect(validators.plan(plan)).toBe(true)
    const all = (await planImport(domain(), NAMED, null, READS_ALL)).plan
    expect(all.digest).toBe(plan.digest)
    expect(shown(all)).toContain('ann.canary@example.org')
    const base = { document: { organizations: { without: [], with: [{ alias: within, name: 'Gone' }] } }, settings: {} }
    const own = (await planImport(domain(), NAMED, {}, PLANS_ONLY, { base })).plan
    expect(own.changes).toMatchObject([{ key: within, action: 'delete' }])
    expect(shown(own)).not.toMatch(/canary/i)
  })

  test('names no grants where it undoes an apply', async () => {
    await applyAll(domain(), MODEL)
    const { uuid } = await applyAll(domain(), GONE, GRANTED)
    const { plan } = await planRollback(domain(), uuid, NO_SETTINGS, PLANS_ONLY)
    expect(shown(plan)).not.toMatch(/canary/i)
    expect(plan.withheld).toContainEqual({ type: 'access', action: 'delete', count: 4, stopped: 0 })
  })

  test('does not tell by its findings about settings who there is', async () => {
    await applyAll(domain(), MODEL)
    const settings = {
      protect: [{ type: 'users', key: 'an.canary@example.org' }],
      moved: [
        { type: 'users', from: 'bb.canary@example.org', to: 'x@example.org' },
        { type: 'users', from: 'known@example.org', to: 'ann.canary@example.org' },
      ],
    }
    const told = async (reader: typeof READS_ALL) =>
      (await planImport(domain(), NEXT, settings, reader)).plan.diagnostics.map(({ message }) => message)
    expect((await told(READS_ALL)).filter((message) => message.includes('Did you mean "'))).toHaveLength(2)
    const [all] = (await told(PLANS_ONLY))
      .map((message) => message.replaceAll(/\b(?:an|bb)\.canary/g, ''))
      .filter((message) => /[ab]\w+\.canary/.test(message))
    expect(all).toMatch(
      /^moved users: known@example.org → ann.canary@example.org: both are on the platform, so nothing is moved$/,
    )
  })

  test('tells no value in the metadata of people whom the document does not name', async () => {
    const badge = { metadataKeyValueStore: [{ key: 'badge', value: { string: 'canary-4711' } }] }
    await applyAll(domain(), {
      users: [
        { email: 'ann@example.org', ...badge },
        { email: 'bob@example.org', ...badge },
      ],
    })
    const rule = { key: 'badge', entityType: 'USER', dataType: 'STRING', unique: true }
    const messages = async (reader: typeof READS_ALL) =>
      (await planImport(domain(), { metadataTypes: [rule] }, null, reader)).plan.diagnostics.map(
        ({ message }) => message,
      )
    expect((await messages(READS_ALL)).join()).toContain('canary-4711')
    expect(await messages(PLANS_ONLY)).toEqual([expect.stringContaining('a metadata value of somebody')])
  })

  test('that would bring people back names none of them', async () => {
    await applyAll(domain(), MODEL)
    const { uuid } = await applyAll(domain(), { users: [{ email: 'known@example.org', name: 'Known' }] })
    const { plan } = await planRollback(domain(), uuid, NO_SETTINGS, PLANS_ONLY)
    expect(shown(plan)).not.toMatch(/canary/i)
    expect(plan.withheld).toEqual([{ type: 'users', action: 'create', count: 2, stopped: 0 }])
  })

  test('has digests that nobody can guess a body from', async () => {
    await applyAll(domain(), MODEL)
    const { plan } = await planFor(domain(), READS_ALL)
    const stored = await domain().database.read((sql) =>
      sql.rows({ digest: TEXT }, 'select digest from records where domain_id = $1', [domain().domain.id]),
    )
    expect(stored.length).toBeGreaterThan(3)
    for (const { digest } of stored) expect(JSON.stringify(plan)).not.toContain(digest)
  })
})
