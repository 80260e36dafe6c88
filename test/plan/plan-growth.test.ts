import { expect, test } from 'vitest'
import type { Grant } from '../../generated/settings.ts'
import { movesInVain } from '../../src/plan/findings/settings-findings.ts'
import { gainedRoles } from '../../src/plan/access/role-causes.ts'
import { UnitMoves } from '../../src/plan/access/unit-moves.ts'
import { accessChanges } from '../../src/plan/guards/access-changes.ts'
import type { Change } from '../../src/plan/plan.ts'
import { countCalls } from '../support/count-calls.ts'
import { planOf } from './access/access-cases.ts'
import { planAgainst } from './plan-against.ts'

// The work of a plan grows with the number of changes, not with its square. Comparisons are counted, because times depend on the
// machine.

const MANY = 60
const many = <T>(make: (index: number) => T): T[] => Array.from({ length: MANY }, (_, index) => make(index))

test('each value of metadata is compared once, however many metadata types are deleted', async () => {
  const metadataTypes = many((index) => ({ key: `k${index}`, entityType: 'SERVICE', dataType: 'INTEGER' }))
  const metadataKeyValueStore = many((index) => ({ key: `k${index}`, value: 1 }))
  const services = many((index) => ({ code: `s${index}`, name: 'S', metadataKeyValueStore }))
  const written = await countCalls(JSON, 'stringify', () =>
    planAgainst({ metadataTypes, services }, { metadataTypes: [], services }),
  )
  expect(written).toBeLessThan(MANY ** 2 * 10)
})

test('each body is written out once to find records that were renamed', async () => {
  const schema = { enum: [1, 2, 3] }
  const characteristics = (of: string) =>
    many((index) => {
      const code = `${of}${index}`
      return { code, name: code, characteristicType: 'SETTING', dataType: 'JSON', schema }
    })
  const written = await countCalls(JSON, 'stringify', () =>
    planAgainst({ characteristics: characteristics('a') }, { characteristics: characteristics('b') }),
  )
  expect(written).toBeLessThan(MANY ** 2)
})

test('the roles of a new account are not compared with each other', async () => {
  const units = many((index) => `u${index}`)
  const grants = units.map((within): Grant => ({ role: 'viewer', everyone: 'users', within }))
  const people = { units, grants, machines: [], clients: [] }
  const users = many((index) => ({ email: `u${index}@x.ch`, status: 'ACTIVATED', organization: null }) as const)
  const compared = await countCalls(String.prototype, 'startsWith', () =>
    planOf({
      before: { ...people, users: [] },
      after: { ...people, users },
      moved: [],
      unitsBefore: new Map(),
      accountsBefore: new Map(),
      rotated: new Set(),
    }),
  )
  expect(compared).toBeLessThan(MANY ** 3 / 2)
})

const roleIn = (within: string) => ({ role: 'viewer', within }) as const

test('a unit that its organization takes along is not compared with each other one', async () => {
  const moved = many((index) => ({ before: `a/u${index}`, after: `b/u${index}` }))
  const units = new UnitMoves([...moved, { before: 'a', after: 'b' }], [])
  const compared = await countCalls(String.prototype, 'startsWith', () => {
    const gained = moved.flatMap(({ before, after }) => gainedRoles([roleIn(after)], [roleIn(before)], units))
    expect(gained).toEqual([])
  })
  expect(compared).toBeLessThan(MANY * 4)
  const [before, after] = [[roleIn('a/u1'), roleIn('c')], [roleIn('b')]]
  expect(gainedRoles(after, before, units)).toEqual(after)
  expect(units.reversed([]).keyBefore('a/u1')).toBe('b/u1')
})

test('each deletion is looked at once, however many moves are in vain', () => {
  let looks = 0
  const deletions = many((index) => ({
    type: 'services' as const,
    key: `s${index}`,
    referrers: [],
    get owner() {
      looks += 1
      return { type: 'services' as const, key: 'o' }
    },
  }))
  const taken = many((index) => ({ type: 'services' as const, from: `s${index}`, to: `t${index}`, pointer: '' }))
  const changes = taken.map(({ type, from }) => ({ ...unitDeletion(from), type }))
  movesInVain(taken, deletions, changes)
  expect(looks).toBeLessThanOrEqual(MANY * 4)
})

test('a changed unit is not compared with each unit that has a grant', async () => {
  const changes = many((index) => unitDeletion(`a/u${index}`))
  const grantedUnits = new Set(many((index) => `b/u${index}`))
  const plan = { changes, access: { coverage: 'none', previously: 'none', changes: [], guards: [] } }
  const compared = await countCalls(String.prototype, 'startsWith', () =>
    accessChanges({ plan, grantedUnits } as never),
  )
  expect(compared).toBeLessThan(MANY * 10)
})

function unitDeletion(key: string): Change {
  return { type: 'organizations', key, action: 'delete', before: {}, after: null, impact: {}, guards: [] } as never
}
