import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Grant } from '../../../generated/settings.ts'
import type { Plan } from '../../../src/plan/plan.ts'
import type { Move } from '../../../src/records/settings.ts'
import { runsOf } from '../../support/runs.ts'
import { cases, planOf, type Case } from './access-cases.ts'
import { gaining, type OracleState } from './access-oracle.ts'

const RUNS = runsOf('ACCESS_RUNS', { sample: 400, long: 10_000 })

const isGuarded = ({ access }: Plan) => access.guards.some(({ code }) => code === 'widens-access')

test('the guard on access trips exactly where somebody could do more', { timeout: 300_000 }, async () => {
  let guarded = 0
  await fc.assert(
    fc.asyncProperty(cases, async (one) => {
      const expected = gaining(one)
      const plan = await planOf(one)
      if (isGuarded(plan)) guarded += 1
      expect({
        isGuarded: isGuarded(plan),
        who: expected,
        says: plan.access.diff?.changes.filter(({ gains }) => gains.length > 0).map(({ message }) => message),
      }).toMatchObject({
        isGuarded: expected.length > 0,
      })
    }),
    { numRuns: RUNS, endOnFailure: false },
  )
  // Both answers must be common, or the law says little.
  expect(guarded / RUNS).toBeGreaterThan(0.2)
  expect(guarded / RUNS).toBeLessThan(0.9)
})

const NOBODY: OracleState = { units: ['a'], users: [], machines: [], clients: [], grants: [] }
const ANN = { email: 'ann@x.ch', status: 'ACTIVATED', organization: null } as const

function changing(before: Partial<OracleState>, after: Partial<OracleState>, moved: readonly Move[] = []): Case {
  return {
    before: { ...NOBODY, users: [ANN], ...before },
    after: { ...NOBODY, users: [ANN], ...after },
    moved,
    unitsBefore: new Map(),
    accountsBefore: new Map(),
    rotated: new Set(),
  }
}

const named = (...usernames: readonly string[]) =>
  usernames.map((username) => ({ username, status: 'ACTIVATED' }) as const)

test('the guard trips where a machine user takes the name of another one, which goes on with its grants', async () => {
  const grants: Grant[] = [{ role: 'administrator', machineUser: 'm2' }]
  const plan = await planOf(
    changing({ machines: named('m1', 'm2'), grants }, { machines: named('m2', 'm3'), grants }, [
      { type: 'machineUsers', from: 'm2', to: 'm3' },
      { type: 'machineUsers', from: 'm1', to: 'm2' },
    ]),
  )
  expect(plan.access.diff?.changes.filter(({ gains }) => gains.length > 0)).toMatchObject([
    { key: 'm2', gains: ['administrator in the whole domain'] },
  ])
})

test('an acknowledgement covers the redirect URIs and the consent of a new application', async () => {
  const app = { slug: 'app', status: 'ACTIVATED', scopes: ['openid'], grantTypes: ['AUTHORIZATION_CODE'] } as const
  const plans = [
    { redirectUris: ['https://a.example/cb'], noExplicitConsentRequired: false },
    { redirectUris: ['https://b.example/cb'], noExplicitConsentRequired: false },
    { redirectUris: ['https://a.example/cb'], noExplicitConsentRequired: true },
  ].map((one) => planOf(changing({}, { clients: [{ ...app, ...one }] })))
  const digests = (await Promise.all(plans)).map(({ access }) => access.diff?.digest)
  expect(new Set(digests).size).toBe(3)
})

const values = (claim: string) => Array.from({ length: 10 }, (_, index) => `${claim}${index}`)

test('many grants with many combinations of claims are guarded without a look at each combination', async () => {
  const grants = Array.from({ length: 80 }, (_, index): Grant => ({
    role: 'viewer',
    identities: {
      issuer: 'https://login.example.com',
      clientId: 'holdfast',
      claims: { a: values('a'), b: values('b'), c: [...values('c'), `only ${index}`] },
    },
  }))
  const plan = await planOf(changing({}, { grants }))
  expect(isGuarded(plan)).toBe(true)
})
