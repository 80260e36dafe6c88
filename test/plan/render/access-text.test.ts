import { expect, it } from 'vitest'
import { differenceLines } from '../../../src/plan/render/access-text.ts'
import type { AccessDifference } from '../../../src/plan/plan.ts'

it('names who gains before many who lose, of whom the last are counted', () => {
  const because = [{ type: 'users', key: 'x' }] as const
  const one = (message: string, gains: readonly string[]): AccessDifference => {
    return { type: 'users', key: message, gains, loses: [], because, message }
  }
  const changes = [...Array(100).keys()].map((index) => one(`${index} loses`, []))
  const lines = differenceLines({ diff: { changes: [...changes, one('a gains', ['viewer'])] } }, 60)
  expect(lines.map(({ text }) => text)).toEqual([
    'a gains',
    ...[...Array(59).keys()].map((index) => `${index} loses`),
    '… and 41 more',
  ])
})
