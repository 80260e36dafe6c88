import { expect, it } from 'vitest'
import { actingForParts, hasSameReach, type Actor } from '../../../src/platform/access/grants/actor.ts'
import type { Right } from '../../../src/auth/scopes.ts'
import { reaches } from '../../../src/platform/systems/reach.ts'

// A role may apply in thousands of units, and each of 100,000 points of a batch asks whether its system is in one.

const uuid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

/** A list of units, and the number of times that somebody has read one of them. */
function watchedUnits(count: number) {
  const read = { count: 0 }
  const units: readonly string[] = new Proxy(
    Array.from({ length: count }, (_, index) => uuid(index)),
    {
      get(list, name) {
        if (typeof name === 'string' && /^\d+$/.test(name)) read.count += 1
        return Reflect.get(list, name) as unknown
      },
    },
  )
  return { units, read }
}

it('many units are read once, however many points there are', () => {
  const { units, read } = watchedUnits(1_000)
  const within = Array.from({ length: 2_000 }, (_, index) =>
    reaches({ systemUuid: null, units }, { systemUuid: uuid(9), unitUuid: uuid(index) }),
  )
  expect(within).toStrictEqual(Array.from({ length: 2_000 }, (_, index) => index < 1_000))
  expect(reaches({ systemUuid: null, units }, { systemUuid: uuid(9), unitUuid: null })).toBe(false)
  expect(read.count).toBe(1_000)
})

it('the reach of many open subscriptions is compared without reading all units each time', () => {
  const [one, same, other] = [watchedUnits(1_000), watchedUnits(1_000), watchedUnits(999)]
  const reachOf = ({ units }: typeof one) => ({ systemUuid: null, units })
  for (let round = 0; round < 10; round++) {
    expect(hasSameReach(reachOf(one), reachOf(one))).toBe(true)
    expect(hasSameReach(reachOf(one), reachOf(same))).toBe(true)
    expect(hasSameReach(reachOf(one), reachOf(other))).toBe(false)
    expect(hasSameReach(reachOf(other), reachOf(one))).toBe(false)
    expect(hasSameReach(reachOf(one), { systemUuid: null, units: null })).toBe(false)
  }
  expect([one, same, other].map(({ read }) => read.count)).toStrictEqual([1_000, 1_000, 999])
})

function unitsOfParts(...rightsWithin: [Right, readonly string[]][]) {
  const roles = [{ role: 'editor', within: 'north' }] as const
  return actingForParts({ roles, rightsWithin: new Map(rightsWithin), units: null } as unknown as Actor).units
}

it('the rights of a role share one list of units, which is not copied for each request', () => {
  const [{ units, read }, { units: others }] = [watchedUnits(1_000), watchedUnits(2)]
  expect(unitsOfParts(['data:read', units], ['model:read', units])).toBe(units)
  expect(read.count).toBe(0)
  expect(unitsOfParts(['data:read', units], ['model:read', others], ['data:delete', units])).toStrictEqual([...units])
})
