import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/lib/json.ts'
import { keyOf } from '../../../src/records/identity.ts'
import { recordType } from '../../../src/records/registry.ts'
import { NO_SETTINGS, type Settings } from '../../../src/records/settings.ts'
import { applyImport } from '../../../src/platform/imports/applying/apply-import.ts'
import type { DomainContext } from '../../../src/platform/domain-context.ts'
import { exportAccess, exportDocument } from '../../../src/platform/imports/export-document.ts'
import { planRollback } from '../../../src/platform/imports/applying/roll-back.ts'
import { SAMPLED_DATABASES } from '../../support/databases.ts'
import { acknowledging, applyAll, makeDomain, plan } from '../../support/domain.ts'
import { storedRecords } from '../../support/plan-parts.ts'
import { addOperator } from './operator.ts'
import { runsOf } from '../../support/runs.ts'
import { database, useDatabase } from '../../support/one-database.ts'

const RUNS = runsOf('LAW_RUNS', { sample: 6, long: 12 })
const KINDS = SAMPLED_DATABASES.map((kind) => ({
  ...kind,
  runs: kind.name === 'PostgreSQL' ? RUNS : Math.ceil(RUNS / 4),
}))

const USERS = ['anna@example.com', 'Bert@example.com', 'eve@example.com']
const ORGANIZATIONS = ['linden/hof', 'tower']
const UNITS = ['north', 'south']
const PLACES = ORGANIZATIONS.flatMap((alias) => {
  const key = alias.replace('/', '~1')
  return [key, ...UNITS.map((unit) => `${key}/${unit}`)]
})

const role = fc.constantFrom('viewer', 'operator', 'editor', 'administrator')
const claim = fc.oneof(fc.constant('a'), fc.constantFrom(['a', 'b'], ['b', 'a'], ['a']))
const claims = fc.dictionary(fc.constantFrom('groups', 'sub'), claim, { minKeys: 1 })
const subject: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.constantFrom(...USERS).map((user) => ({ user })),
  fc.constantFrom(...ORGANIZATIONS).map((organization) => ({ organization })),
  fc.constantFrom('users', 'machineUsers').map((everyone) => ({ everyone })),
  claims.map((wanted) => ({ identities: { issuer: 'https://a.example', clientId: 'c', claims: wanted } })),
)
const place: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.constant({}),
  fc.constant({ withinOwnOrganization: true }),
  fc.constantFrom(...PLACES).map((within) => ({ within })),
)

const grant = fc
  .tuple(role, subject, place)
  .map(([name, who, where]): JsonObject => ({ role: name, ...who, ...where }))
  .filter((one) => one['withinOwnOrganization'] !== true || one['everyone'] === 'users' || 'user' in one)
  .filter((one) => one['role'] !== 'administrator' || !('within' in one || 'withinOwnOrganization' in one))

const grantKey = (one: JsonObject) => keyOf(recordType('access'), one)
const grants = fc.uniqueArray(grant, { maxLength: 6, selector: grantKey })

/** What a document and its settings say; undefined: nothing about it. */
interface Scene {
  readonly users: readonly string[]
  readonly organizations: readonly string[]
  readonly access: readonly JsonObject[] | undefined
}

const scene: fc.Arbitrary<Scene> = fc
  .record({
    users: fc.subarray(USERS),
    organizations: fc.subarray(ORGANIZATIONS),
    access: fc.option(grants, { nil: undefined }),
  })
  .map(({ users, organizations, access }) => ({
    users,
    organizations,
    access: access?.filter((one) => refersTo(one, users, organizations)),
  }))

function refersTo({ user, organization, within }: JsonObject, users: readonly string[], aliases: readonly string[]) {
  const isThere = (alias: unknown) => aliases.includes(String(alias))
  return (
    (user === undefined || users.includes(String(user))) &&
    (organization === undefined || isThere(organization)) &&
    (within === undefined || isThere(String(within).split('/')[0]?.replace('~1', '/')))
  )
}

const documentOf = ({ users, organizations }: Scene) => ({
  users: users.map((email) => ({ email })),
  organizations: organizations.map((alias) => ({
    name: alias,
    alias,
    organizationUnits: UNITS.map((unit) => ({ name: unit, alias: unit })),
  })),
})

const settingsOf = ({ access }: Scene): Settings => (access === undefined ? NO_SETTINGS : { ...NO_SETTINGS, access })

async function rollBack(context: DomainContext, apply: string): Promise<void> {
  const { plan: inverse } = await planRollback(context, apply, NO_SETTINGS)
  const request = { document: {}, settings: acknowledging(inverse), plan: inverse, origin: { rollbackOf: apply } }
  await applyImport(context, request)
}

async function state(context: DomainContext): Promise<unknown> {
  return (await storedRecords(context)).map(({ type, key, uuid, body, digest }) => ({ type, key, uuid, body, digest }))
}

describe.each(KINDS)('the laws of grants on $name', ({ openMigrated, runs }) => {
  let domains = 0
  useDatabase({ openMigrated })

  test(
    'plan after apply is empty, an export plans to nothing, order says nothing, a rollback restores every byte',
    { timeout: 600_000 },
    async () => {
      const lawsHold = fc.asyncProperty(scene, scene, async (before, after) => {
        const context = await makeDomain(database, `grants-${++domains}`)
        await addOperator(context)
        await applyAll(context, documentOf(before), settingsOf(before))
        const earlier = await state(context)
        const planned = await plan(context, documentOf(after), settingsOf(after))
        const reversed = settingsOf({ ...after, access: after.access?.toReversed() })
        expect(JSON.stringify(await plan(context, documentOf(after), reversed))).toBe(JSON.stringify(planned))

        const apply = await applyAll(context, documentOf(after), settingsOf(after))
        const again = await plan(context, documentOf(after), settingsOf(after))
        expect(again).toMatchObject({ outcome: 'no-changes', changes: [], access: { changes: [] } })
        const live = (await exportAccess(context)).map(grantKey)
        expect(live).toEqual(after.access?.map(grantKey).sort() ?? live)
        const exported = { ...NO_SETTINGS, access: await exportAccess(context) }
        const ofExport = await plan(context, await exportDocument(context, null), exported)
        expect(ofExport).toMatchObject({ changes: [], access: { changes: [] } })
        if (!apply.recorded) return
        await rollBack(context, apply.uuid)
        expect(await state(context)).toEqual(earlier)
      })
      await fc.assert(lawsHold, { numRuns: runs, endOnFailure: true })
    },
  )
})
