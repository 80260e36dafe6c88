import type { Grant } from '../../../../generated/settings.ts'
import type { AccessPlan, Change, Plan } from '../../../../src/plan/plan.ts'
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
const widens = (message: string, acknowledged = false) => ({ guards: [guard('widens-access', message, acknowledged)] })
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

/** None were managed before, and one acknowledgement is enough for all of them. */
export function firstGrants(): Plan {
  const changes = [
    given(
      { role: 'administrator', user: ANNA },
      { ...widens(`${ANNA} would become administrator in the whole domain`), ...at(SETTINGS, 4) },
    ),
    given(weather, {
      ...widens('machine user weather would become operator in the whole domain'),
      ...at(SETTINGS, 5),
    }),
    given(guests, {
      ...widens('everyone with groups guests or trainees would become viewer within lindenhof/lindenhof-1'),
      ...at(SETTINGS, 6),
    }),
  ]
  return planOfGrants(changes, { previously: null, desired: 3, actual: 0 })
}

/** One is acknowledged; a unit and a person bring more too. */
export function wider(): Plan {
  const place = { ...at(SETTINGS, 9) }
  const administrator = given(
    { role: 'administrator', user: ANNA },
    { ...widens(`${ANNA} would become administrator in the whole domain`), ...place },
  )
  const viewers = given(
    { role: 'viewer', organization: 'lindenhof' },
    { ...widens('everyone of lindenhof would become viewer in the whole domain', true), ...at(SETTINGS, 10) },
  )
  const unit = { name: 'North', alias: 'north' }
  const north = moved(
    'organizations',
    'north',
    'lindenhof/north',
    [unit, unit],
    widens('it would come to where everyone of lindenhof is operator within lindenhof'),
  )
  const { access } = planOfGrants([administrator, viewers])
  return planOf({ access, changes: [north], scope: { organizations: managed(2) } })
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
  return planOfGrants([
    taken({ role: 'administrator', user: 'mallory@lindenhof.example' }, drift),
    given(weather, { ...drift, ...widens('machine user weather would become operator in the whole domain', true), ...at(SETTINGS, 5) }),
  ])
}
