import type { Grant } from '../../../generated/settings.ts'
import { ROLES, type Role } from '../../../src/auth/roles.ts'
import { rightsOf } from '../../../src/auth/scopes.ts'

// Says who can do what by brute force: it lists every person and program that there is or could be, and for each of them
// every place and role. It shares nothing with what it judges but the names of roles and scopes.

export interface OracleUser {
  readonly email: string
  readonly status: 'ACTIVATED' | 'DEACTIVATED'
  readonly organization: string | null
}

export interface OracleMachine {
  readonly username: string
  readonly status: 'ACTIVATED' | 'DEACTIVATED'
}

export interface OracleClient {
  readonly slug: string
  readonly status: 'ACTIVATED' | 'DEACTIVATED'
  readonly scopes: readonly string[]
  readonly grantTypes: readonly string[]
  readonly redirectUris: readonly string[]
  readonly noExplicitConsentRequired: boolean
}

export interface OracleState {
  /** The keys of organizations and units. */
  readonly units: readonly string[]
  readonly users: readonly OracleUser[]
  readonly machines: readonly OracleMachine[]
  readonly clients: readonly OracleClient[]
  readonly grants: readonly Grant[]
}

export interface OracleChange {
  readonly before: OracleState
  readonly after: OracleState
  /** Keys after the change, with the keys before it, of what was renamed. */
  readonly unitsBefore: ReadonlyMap<string, string>
  readonly accountsBefore: ReadonlyMap<string, string>
  /** Machine users and clients with a new secret. */
  readonly rotated: ReadonlySet<string>
}

/** Who could do more, by name; empty if nobody could. */
export function gaining(change: OracleChange): string[] {
  return [...personsGaining(change), ...clientsGaining(change)]
}

interface Person {
  readonly kind: 'user' | 'machine' | 'identity'
  readonly login: string
  readonly organization: string | null
  readonly claims: { readonly [claim: string]: string }
}

const nobody: Person = { kind: 'identity', login: '', organization: null, claims: {} }

function personsGaining(change: OracleChange): string[] {
  const { before, after, accountsBefore, rotated } = change
  const found: string[] = []
  const compare = (name: string, was: Person | null, is: Person | null) => {
    const had = was === null ? new Set<string>() : abilities(was, before.grants, placesBefore(change))
    const has = is === null ? new Set<string>() : abilities(is, after.grants, placesAfter(change))
    if (!has.isSubsetOf(had)) found.push(name)
  }
  const userOf = (state: OracleState, email: string): Person | null => {
    const user = state.users.find((one) => one.email === email && one.status === 'ACTIVATED')
    return user === undefined ? null : { ...nobody, kind: 'user', login: email, organization: user.organization }
  }
  const machineOf = (state: OracleState, username: string): Person | null => {
    const machine = state.machines.find((one) => one.username === username && one.status === 'ACTIVATED')
    return machine === undefined ? null : { ...nobody, kind: 'machine', login: username }
  }
  for (const { email } of after.users) {
    compare(`whoever has the address ${email}`, userOf(before, email), userOf(after, email))
    compare(
      `whoever knows the password of ${email}`,
      userOf(before, accountsBefore.get(email) ?? email),
      userOf(after, email),
    )
  }
  // A user who is not ACTIVATED keeps a person out, whom a provider would vouch for.
  if (after.grants.some(({ identities }) => identities !== undefined)) {
    const keptOut = before.users.filter(({ status }) => status !== 'ACTIVATED')
    for (const { email } of keptOut)
      if (!after.users.some((user) => user.email === email)) found.push(`${email}, by a provider`)
  }
  for (const { username } of after.machines) {
    const last = accountsBefore.get(username) ?? username
    compare(`whoever has the name ${username}`, machineOf(before, username), machineOf(after, username))
    compare(`whoever knows the password of ${username}`, machineOf(before, last), machineOf(after, username))
    if (rotated.has(username))
      compare(`whoever knows the new password of ${username}`, null, machineOf(after, username))
  }
  // Those who may come: their organization is one that there was, one that nobody knows yet, or none.
  const anyUser = { ...nobody, kind: 'user' as const, login: 'new@example.com' }
  compare('a user to come', anyUser, anyUser)
  compare(
    'a machine user to come',
    { ...nobody, kind: 'machine', login: 'new' },
    { ...nobody, kind: 'machine', login: 'new' },
  )
  const fresh = { ...anyUser, organization: 'fresh' }
  compare('a user to come, of an organization to come', fresh, fresh)
  for (const key of after.units.filter((unit) => !unit.includes('/'))) {
    const last = unitBefore(change, key)
    const isNamed = after.grants.some(({ organization }) => organization === key)
    if (last === null ? !isNamed : false) continue
    const was = last === null ? null : (last.split('/')[0] ?? null)
    compare(`a user to come, of ${key}`, { ...anyUser, organization: was }, { ...anyUser, organization: key })
  }
  for (const groups of ['g1', 'g2', null]) {
    for (const dept of ['d1', 'd2', null]) {
      const claims = { ...(groups !== null && { groups }), ...(dept !== null && { dept }) }
      compare(`an identity with ${JSON.stringify(claims)}`, { ...nobody, claims }, { ...nobody, claims })
    }
  }
  return found
}

/** `role place`, for each role that is allowed and each place where it counts; `*` is what belongs to no unit. */
function abilities(person: Person, grants: readonly Grant[], places: Places): Set<string> {
  const found = new Set<string>()
  for (const grant of grants) {
    if (!isGivenTo(grant, person)) continue
    const within = grant.withinOwnOrganization === true ? person.organization : (grant.within ?? '*')
    if (within === null) continue
    for (const place of places.within(within)) for (const role of rolesUpTo(grant.role)) found.add(`${role} ${place}`)
  }
  return places.inherited(found)
}

function isGivenTo({ user, machineUser, organization, everyone, identities }: Grant, person: Person): boolean {
  if (identities !== undefined) {
    return Object.entries(identities.claims as { [claim: string]: string | string[] }).every(([claim, values]) =>
      [values].flat().includes(person.claims[claim] ?? ''),
    )
  }
  if (person.kind === 'user') {
    return (
      user === person.login ||
      everyone === 'users' ||
      (organization !== undefined && organization === person.organization)
    )
  }
  return person.kind === 'machine' && (machineUser === person.login || everyone === 'machineUsers')
}

function rolesUpTo(role: Role): readonly Role[] {
  return ROLES.slice(0, ROLES.indexOf(role) + 1)
}

interface Places {
  /** The places within a unit, by the names that they had before; `*` stands for the whole domain. */
  within(key: string): string[]
  /** Adds what was allowed above to a place that there was not yet. */
  inherited(found: Set<string>): Set<string>
}

/** A unit that there was not is called by its new name, with a mark. */
function nameOf(change: OracleChange, key: string): string {
  return unitBefore(change, key) ?? `new ${key}`
}

function unitBefore({ before, unitsBefore, after }: OracleChange, key: string): string | null {
  const renamed = unitsBefore.get(key)
  if (renamed !== undefined) return renamed
  const isTaken = [...unitsBefore.values()].includes(key)
  return before.units.includes(key) && !isTaken && after.units.includes(key) ? key : null
}

function placesAfter(change: OracleChange): Places {
  const { after } = change
  return {
    within: (key) =>
      key === '*'
        ? ['*', 'fresh', ...after.units.map((unit) => nameOf(change, unit))]
        : key === 'fresh'
          ? ['fresh']
          : after.units
              .filter((unit) => unit === key || unit.startsWith(`${key}/`))
              .map((unit) => nameOf(change, unit)),
    inherited: (found) => found,
  }
}

function placesBefore(change: OracleChange): Places {
  const { before, after } = change
  return {
    within: (key) =>
      key === '*'
        ? ['*', 'fresh', ...before.units]
        : key === 'fresh'
          ? ['fresh']
          : before.units.filter((unit) => unit === key || unit.startsWith(`${key}/`)),
    inherited(found) {
      for (const unit of after.units.filter((key) => unitBefore(change, key) === null)) {
        const above = unit
          .split('/')
          .map((_, index, parts) => parts.slice(0, index).join('/'))
          .toReversed()
        const nearest =
          above.map((key) => (key === '' ? '*' : unitBefore(change, key))).find((key) => key !== null) ?? '*'
        for (const role of ROLES) if (found.has(`${role} ${nearest}`)) found.add(`${role} new ${unit}`)
      }
      return found
    },
  }
}

const powers = (client: OracleClient | undefined) => {
  if (client?.status !== 'ACTIVATED' || client.grantTypes.length === 0 || rightsOf(client.scopes).size === 0)
    return null
  return new Set([
    ...rightsOf(client.scopes),
    ...client.grantTypes,
    ...client.scopes.filter((scope) => ['email', 'profile'].includes(scope)).map((scope) => `tells ${scope}`),
    ...(client.grantTypes.includes('AUTHORIZATION_CODE') ? client.redirectUris : []),
    ...(client.noExplicitConsentRequired ? ['without a question'] : []),
  ])
}

function clientsGaining({ before, after, rotated }: OracleChange): string[] {
  return after.clients.flatMap((client) => {
    const is = powers(client)
    const was = powers(before.clients.find(({ slug }) => slug === client.slug))
    const gains = is !== null && (was === null || !is.isSubsetOf(was) || rotated.has(client.slug))
    return gains ? [`whoever has ${client.slug}`] : []
  })
}
