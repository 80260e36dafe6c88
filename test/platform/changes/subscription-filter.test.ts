import { expect, it } from 'vitest'
import { isMeant } from '../../../src/platform/changes/subscription-filter.ts'

it('a filter reads its names once, however many series are compared with them', () => {
  let reads = 0
  const names = Array.from({ length: 1_000 }, (_, index) => `name ${index}`)
  const counted = new Proxy(names, {
    get: (list, member) => {
      reads += 1
      return Reflect.get(list, member) as unknown
    },
  })
  expect(isMeant(counted, null, 'name 999')).toBe(true)
  const once = reads
  for (const name of [...names, ...names]) expect(isMeant(counted, name)).toBe(true)
  expect(isMeant(counted, 'another name', null)).toBe(false)
  expect([isMeant(undefined, null), isMeant([], 'name 1')]).toStrictEqual([true, false])
  expect([once > names.length, reads]).toStrictEqual([true, once])
})
