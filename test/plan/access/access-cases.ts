import * as fc from 'fast-check'
import type { Grant } from '../../../generated/settings.ts'
import { readDocument } from '../../../src/documents/read/read-document.ts'
import type { SecretQuestion } from '../../../src/plan/live-state.ts'
import { makePlan } from '../../../src/plan/make-plan.ts'
import type { Plan } from '../../../src/plan/plan.ts'
import { recordId } from '../../../src/records/record-id.ts'
import { NO_SETTINGS, type Move } from '../../../src/records/settings.ts'
import { fileLiveState } from '../../../src/reconcile/models/file-live-state.ts'
import { validPlan } from '../../support/valid-plan.ts'
import type { OracleChange, OracleClient, OracleState } from './access-oracle.ts'

// Models, grants and what becomes of both, of which a plan is made as of documents.

const status = fc.constantFrom('ACTIVATED', 'ACTIVATED', 'ACTIVATED', 'DEACTIVATED')

/** Organizations `a` and `b`, and what is below them. */
const units = fc.subarray(['a/x', 'a/x/deep', 'b/y']).map((found) => {
  const below = found.includes('a/x') ? found : found.filter((unit) => unit !== 'a/x/deep')
  return ['a', 'b', ...below]
})

function users(emails: readonly string[], organizations: readonly string[]) {
  const organization = fc.constantFrom(null, null, ...organizations)
  return fc
    .subarray([...emails], { minLength: 1 })
    .chain((found) => fc.tuple(...found.map((email) => fc.record({ email: fc.constant(email), status, organization }))))
}

const machines = fc
  .subarray(['m1', 'm2'], { minLength: 1 })
  .chain((found) => fc.tuple(...found.map((username) => fc.record({ username: fc.constant(username), status }))))

const clients: fc.Arbitrary<OracleClient[]> = fc
  .record({
    slug: fc.constant('app'),
    status,
    scopes: fc.constantFrom<readonly string[]>(
      [],
      ['openid'],
      ['openid', 'email'],
      ['data:read'],
      ['service'],
      ['data:read', 'setpoints:write'],
    ),
    grantTypes: fc.subarray(['AUTHORIZATION_CODE', 'PASSWORD', 'REFRESH_TOKEN'], { minLength: 1 }),
    redirectUris: fc.subarray(['https://a.example/cb', 'https://b.example/cb'], { minLength: 1 }),
    noExplicitConsentRequired: fc.boolean(),
  })
  .chain((client) => fc.constantFrom([], [client], [client], [client]))

const identities = fc
  .record({
    groups: fc.constantFrom<string | string[] | undefined>(undefined, 'g1', ['g1', 'g2'], 'g2'),
    dept: fc.constantFrom<string | string[] | undefined>(undefined, undefined, 'd1', ['d1', 'd2']),
  })
  .filter(({ groups, dept }) => groups !== undefined || dept !== undefined)
  .map((claims) => ({
    issuer: 'https://login.example.com',
    clientId: 'holdfast',
    claims: Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined)),
  }))

function grants(state: Pick<OracleState, 'units' | 'users' | 'machines'>): fc.Arbitrary<Grant[]> {
  const subject = fc.oneof(
    fc.constantFrom(...state.users.map(({ email }) => ({ user: email }))),
    fc.constantFrom(...state.machines.map(({ username }) => ({ machineUser: username }))),
    fc.constantFrom<object>(
      { organization: 'a' },
      { organization: 'b' },
      { everyone: 'users' },
      { everyone: 'users' },
      { everyone: 'machineUsers' },
    ),
    identities.map((found) => ({ identities: found })),
  )
  const place = fc.constantFrom<object>(
    {},
    { withinOwnOrganization: true },
    { withinOwnOrganization: true },
    { withinOwnOrganization: true },
    ...state.units.map((within) => ({ within })),
  )
  const role = fc.constantFrom('viewer', 'operator', 'editor', 'administrator')
  return fc.array(fc.tuple(role, subject, place), { maxLength: 4 }).map((list) =>
    list.map(([role, subject, place]) => {
      const isOfUsers = 'user' in subject || ('everyone' in subject && subject.everyone === 'users')
      const where = role === 'administrator' || ('withinOwnOrganization' in place && !isOfUsers) ? {} : place
      return { role, ...subject, ...where }
    }),
  )
}

const renames = fc.record({
  user: fc.boolean(),
  machine: fc.boolean(),
  /** Whether the name that somebody gets was that of another one, who gets a new one. */
  isChain: fc.boolean(),
  /** Whether grants go on naming who had the name before. */
  keepsNames: fc.boolean(),
  unit: fc.constantFrom(null, null, { from: 'a/x', to: 'b/x' }, { from: 'b/y', to: 'a/y' }, { from: 'b', to: 'c' }),
})

const rotated = fc.subarray(['m1', 'm2', 'app'])

const same = <T>(value: T, other: fc.Arbitrary<T>) => fc.oneof({ weight: 2, arbitrary: fc.constant(value) }, other)

/** A state that keeps most of another one. */
function near(before: OracleState): fc.Arbitrary<OracleState> {
  return same(before.units, units)
    .chain((kept) =>
      fc.record({
        units: fc.constant(kept),
        users: same(before.users, users(['u1@x.ch', 'u2@x.ch'], ['a', 'b'])),
        machines: same(before.machines, machines),
        clients: same(before.clients, clients),
      }),
    )
    .chain((people) =>
      grants(people)
        .chain((more) => fc.subarray([...before.grants, ...more]))
        .map((all) => ({ ...people, grants: all.filter((grant) => isOf(grant, people)) })),
    )
}

function isOf({ user, machineUser, within }: Grant, state: Omit<OracleState, 'grants'>): boolean {
  return (
    (user === undefined || state.users.some(({ email }) => email === user)) &&
    (machineUser === undefined || state.machines.some(({ username }) => username === machineUser)) &&
    (within === undefined || state.units.includes(within))
  )
}

/** The same state where some have other names, as a document with `moved` describes it. */
function renamed(state: OracleState, names: ReadonlyMap<string, string>): OracleState {
  const unit = (key: string) => {
    const found = [...names].find(([from]) => key === from || key.startsWith(`${from}/`))
    return found === undefined ? key : found[1] + key.slice(found[0].length)
  }
  const name = (login: string) => names.get(login) ?? login
  return {
    units: state.units.map(unit),
    users: state.users.map((one) => ({
      ...one,
      email: name(one.email),
      organization: one.organization === null ? null : (unit(one.organization).split('/')[0] ?? null),
    })),
    machines: state.machines.map((one) => ({ ...one, username: name(one.username) })),
    clients: state.clients,
    grants: state.grants.map((grant) => ({
      ...grant,
      ...(grant.user !== undefined && { user: name(grant.user) }),
      ...(grant.machineUser !== undefined && { machineUser: name(grant.machineUser) }),
      ...(grant.organization !== undefined && { organization: unit(grant.organization) }),
      ...(grant.within !== undefined && { within: unit(grant.within) }),
    })),
  }
}

export interface Case extends OracleChange {
  readonly moved: readonly Move[]
}

const OF = { users: 'users', machineUsers: 'machines' } as const
const has = (list: readonly object[], key: string) => list.some((one) => Object.values(one).includes(key))

export const cases: fc.Arbitrary<Case> = fc
  .record({
    units,
    users: users(['u1@x.ch', 'u2@x.ch'], ['a', 'b']),
    machines,
    clients,
  })
  .chain((people) => grants(people).map((all): OracleState => ({ ...people, grants: all })))
  .chain((before) => fc.tuple(fc.constant(before), near(before), renames, rotated))
  .map(([before, after, rename, secrets]): Case => {
    const moved: Move[] = []
    const renameOne = (type: 'users' | 'machineUsers', [first, second, last]: readonly [string, string, string]) => {
      const isThere = (name: string) => has(before[OF[type]], name) && has(after[OF[type]], name)
      if (!isThere(first)) return
      const isChain = rename.isChain && isThere(second)
      moved.push({ type, from: first, to: isChain ? second : last })
      if (isChain) moved.push({ type, from: second, to: last })
    }
    if (rename.user) renameOne('users', ['u1@x.ch', 'u2@x.ch', 'mallory@x.ch'])
    if (rename.machine) renameOne('machineUsers', ['m1', 'm2', 'm9'])
    const { unit } = rename
    if (unit !== null && before.units.includes(unit.from) && after.units.includes(unit.from))
      moved.push({ type: 'organizations', ...unit })
    const names = new Map(moved.map(({ from, to }) => [from, to]))
    const all = renamed(after, names)
    const kept = after.grants.map((grant, index) =>
      grant.user === undefined && grant.machineUser === undefined ? (all.grants[index] ?? grant) : grant,
    )
    const named = rename.keepsNames ? { ...all, grants: kept.filter((grant) => isOf(grant, all)) } : all
    const units = new Map(
      moved.flatMap(({ type, from, to }) =>
        type === 'organizations'
          ? before.units
              .filter((key) => key === from || key.startsWith(`${from}/`))
              .map((key) => [to + key.slice(from.length), key] as const)
          : [],
      ),
    )
    const isThere = (name: string) =>
      has([...before.machines, ...before.clients], name) && has([...after.machines, ...after.clients], name)
    return {
      before,
      after: named,
      moved,
      unitsBefore: units,
      accountsBefore: new Map(moved.map(({ from, to }) => [to, from])),
      rotated: new Set(secrets.filter(isThere).map((name) => names.get(name) ?? name)),
    }
  })

function documentOf({ units, users, machines, clients }: OracleState): object {
  const below = (key: string): object[] =>
    units
      .filter((unit) => unit.startsWith(`${key}/`) && !unit.slice(key.length + 1).includes('/'))
      .map((unit) => ({ name: unit, alias: unit.slice(key.length + 1), directChildren: below(unit) }))
  return {
    organizations: units
      .filter((key) => !key.includes('/'))
      .map((key) => ({ name: key, alias: key, organizationUnits: below(key) })),
    users: users.map(({ email, status, organization }) => ({
      email,
      status,
      organization: organization === null ? null : { alias: organization },
    })),
    machineUsers: machines.map((one) => ({ ...one, password: '${env:X}' })),
    applicationConsumers: clients.map((one) => ({ ...one, name: one.slug, secret: '${env:X}' })),
  }
}

function read(state: OracleState) {
  const unique = new Map(state.grants.map((grant) => [JSON.stringify(grant), grant]))
  const reading = readDocument(documentOf(state), undefined, [...unique.values()] as never)
  const errors = reading.diagnostics.filter(
    ({ severity, code }) => severity === 'error' && code !== 'duplicate-identity',
  )
  if (errors.length > 0) throw new Error(JSON.stringify(errors))
  return reading
}

export async function planOf({ before, after, moved, rotated: secrets }: Case): Promise<Plan> {
  const live = fileLiveState(read(before).snapshot)
  const compareSecrets = (questions: readonly SecretQuestion[]) =>
    Promise.resolve(
      new Map(
        questions.map((question) => [
          recordId(question),
          secrets.has(question.key)
            ? ({ state: 'changed', fingerprint: 'rotated' } as const)
            : ({ state: 'unchanged', fingerprint: 'not compared' } as const),
        ]),
      ),
    )
  const { plan } = await makePlan(read(after), { ...live, compareSecrets }, { ...NO_SETTINGS, moved })
  return validPlan(plan)
}
