import type { Grant } from '../../../../generated/settings.ts'
import type { AccessDifference, AccessPlan, Change, Plan } from '../../../../src/plan/plan.ts'
import type { JsonObject } from '../../../../src/lib/json.ts'
import { keyOf } from '../../../../src/records/identity.ts'
import { recordType } from '../../../../src/records/registry.ts'
import { at, created, deleted, guard, managed, moved, planOf } from '../plan-builder.ts'
import { drift as who } from './sample-records.ts'

const SETTINGS = 'models/holdfast.yaml'
const ANNA = 'anna@lindenhof.example'

const keyed = (grant: Grant) => {
  const body = { ...grant } as unknown as JsonObject
  return [keyOf(recordType('access'), body), body] as const
}
const given = (grant: Grant, more: Partial<Change> = {}) => created('access', ...keyed(grant), more)
const taken = (grant: Grant, more: Partial<Change> = {}) => deleted('access', ...keyed(grant), more)
const GAINED = `sha256:${'a'.repeat(64)}` as const
const widens = (count: string, changes: readonly AccessDifference[], acknowledged = false): Partial<AccessPlan> => ({
  guards: [guard('widens-access', `${count} of people could do more than before`, acknowledged)],
  diff: { digest: GAINED, changes },
})
const gain = (
  [type, key]: readonly [AccessDifference['type'], string],
  role: string,
  message: string,
  because: AccessDifference['because'] = [{ type, key }],
): AccessDifference => ({ type, key, gains: [role], loses: [], because, message })
const planOfGrants = (changes: readonly Change[], more: Partial<AccessPlan> = {}) =>
  planOf({ access: { state: 'managed', previously: 'managed', desired: 4, actual: 4, changes, ...more } })

const weather: Grant = { role: 'operator', machineUser: 'weather' }
const guests: Grant = {
  role: 'viewer',
  identities: {
    issuer: 'https://login.lindenhof.example',
    clientId: 'holdfast',
    claims: { groups: ['guests', 'trainees'] },
  },
  within: 'lindenhof/lindenhof-1',
}

const grant = (one: Grant) => [{ type: 'access', key: keyed(one)[0] }] as const
const person = (email: string) => ({ email, status: 'ACTIVATED' })

/** None were managed before. */
export function firstGrants(): Plan {
  const administrator: Grant = { role: 'administrator', user: ANNA }
  const changes = [
    given(administrator, at(SETTINGS, 4)),
    given(weather, at(SETTINGS, 5)),
    given(guests, at(SETTINGS, 6)),
  ]
  const differences = [
    gain(['users', ANNA], 'administrator in the whole domain', `${ANNA} would become administrator`, grant(administrator)),
    gain(['machineUsers', 'weather'], 'operator in the whole domain', 'weather would become operator', grant(weather)),
  ]
  return planOfGrants(changes, {
    previously: null,
    desired: 3,
    actual: 0,
    ...widens('2 accounts, applications or groups', differences),
  })
}

/** A new grant, a unit and a person that come elsewhere, a renamed user, an application, and more of the same. */
export function wider(): Plan {
  const administrator = given({ role: 'administrator', user: ANNA }, at(SETTINGS, 9))
  const unit = { name: 'North', alias: 'north' }
  const north = moved('organizations', 'north', 'lindenhof/north', [unit, unit])
  const [old, mallory] = ['adm2@lindenhof.example', 'mallory@lindenhof.example']
  const renamed = moved('users', old, mallory, [person(old), person(mallory)], at('models/access.yaml', 12))
  const byUnit = [{ type: 'organizations', key: 'lindenhof/north' }] as const
  const differences: AccessDifference[] = [
    gain(['users', ANNA], 'administrator in the whole domain', `${ANNA} would become administrator in the whole domain`, [
      { type: 'access', key: administrator.key },
    ]),
    gain(
      ['users', mallory],
      'administrator in the whole domain',
      `${mallory} would become administrator in the whole domain: users/${old} is renamed to it`,
    ),
    gain(
      ['access', 'operator/organization/lindenhof/within/lindenhof'],
      'operator within lindenhof/north',
      'everyone of lindenhof would become operator within lindenhof/north',
      byUnit,
    ),
    {
      ...gain(['applicationConsumers', 'portal'], 'a new secret', 'the application portal would get a new secret'),
      loses: ['the scope setpoints:write'],
    },
    {
      type: 'users',
      key: 'bert@lindenhof.example',
      gains: [],
      loses: ['viewer in the whole domain'],
      because: [{ type: 'users', key: 'bert@lindenhof.example' }],
      message: 'bert@lindenhof.example would no longer be viewer in the whole domain',
    },
    {
      type: 'users',
      count: 1204,
      gains: ['operator in the whole domain'],
      loses: [],
      because: [],
      message: '1,204 more of users would become operator in the whole domain: a new account',
    },
  ]
  const { access } = planOfGrants([administrator], {
    guards: [guard('widens-access', '1,208 accounts, applications or groups of people could do more than before')],
    diff: { digest: GAINED, changes: differences, withheld: 3 },
  })
  return planOf({ access, changes: [north, renamed], scope: { organizations: managed(2), users: managed(9) } })
}

/** What everybody had is taken back, and something smaller given for it. */
export function narrower(): Plan {
  return planOfGrants([
    taken({ role: 'operator', everyone: 'users' }),
    given({ role: 'operator', everyone: 'users', withinOwnOrganization: true }, at(SETTINGS, 3)),
    taken({ role: 'operator', everyone: 'machineUsers' }),
  ])
}

export function withItsUser(): Plan {
  const user = { email: 'former.caretaker@lindenhof.example', name: 'Former caretaker', status: 'ACTIVATED' }
  const grant: Grant = { role: 'editor', user: user.email, within: 'lindenhof' }
  const { access } = planOfGrants([taken(grant, { reason: `users/${user.email} is deleted` })], {
    state: 'unmanaged',
    previously: null,
    desired: 0,
  })
  const referrers = [{ type: 'access', key: keyed(grant)[0] }] as const
  return planOf({
    access,
    changes: [deleted('users', user.email, user, { referrers })],
    scope: { users: managed(6, 7) },
  })
}

const drift = { cause: 'drift', drift: who } as const

export function driftedGrants(): Plan {
  const again = given(weather, { ...drift, ...at(SETTINGS, 5) })
  const changes = [taken({ role: 'administrator', user: 'mallory@lindenhof.example' }, drift), again]
  const gained = gain(['machineUsers', 'weather'], 'operator in the whole domain', 'weather would become operator', [
    { type: 'access', key: again.key },
  ])
  return planOfGrants(changes, widens('1 account, application or group', [gained], true))
}
