import { expect, it } from 'vitest'
import { Chains } from '../../../src/plan/compare/chains.ts'

it('reads each key once, although many chains lead through it', () => {
  let reads = 0
  const chains = new Chains((key) => {
    reads += 1
    const at = Number(key)
    return at >= 1000 ? String(at % 1000) : at < 999 ? String(at + 1) : undefined
  })
  for (let at = 1000; at < 2000; at += 1) expect(chains.endOf(String(at))).toEqual({ key: '999', circle: new Set() })
  expect(reads).toBe(2000)
})

it('tells the keys of a circle from those that lead to it', () => {
  const next = new Map([
    ['a', 'b'],
    ['b', 'c'],
    ['c', 'b'],
  ])
  const chains = new Chains((key) => next.get(key))
  for (const key of ['a', 'b', 'c']) expect(chains.endOf(key).circle).toEqual(new Set(['b', 'c']))
})
