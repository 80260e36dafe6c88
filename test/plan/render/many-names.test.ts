import { expect, it } from 'vitest'
import { changeLookup, notesOf } from '../../../src/plan/render/change-notes.ts'
import { deleteLines } from '../../../src/plan/render/markdown/markdown-change.ts'
import { positionColumn } from '../../../src/plan/render/text/text-change.ts'
import { fairTime } from '../../support/slowness.ts'
import { deleted } from './plan-builder.ts'

const names = (count: number) => Array.from({ length: count }, (_, index) => `name-${index}`)

const weather = (count: number) => {
  const referrers = names(count).map((key) => ({ type: 'characteristics', key }) as const)
  return deleted('dataSources', 'weather', { code: 'weather', name: 'Weather' }, { referrers })
}

it('names few of very many referrers of a deleted record', async () => {
  const change = weather(20_000)
  let notes: unknown
  const took = await fairTime(() => (notes = notesOf(change, changeLookup([change]))))
  expect(notes).toStrictEqual([
    `referenced by ${names(12)
      .map((name) => `characteristics/${name}`)
      .join(', ')} and 19,988 more (unchanged)`,
  ])
  // To copy the list for each referrer would take seconds.
  expect(took).toBeLessThan(1_000)
})

const lookup = () => expect.unreachable()

it('looks up no referrers of a deletion without notes', () => {
  const detail = { bodies: 0, deletes: 0, deleteNotes: false, guards: false, moves: false } as never
  expect(deleteLines(weather(1), { detail, lookup } as never, false)).toStrictEqual(['- dataSources/weather'])
})

it('aligns the positions of very many names', () => {
  expect(positionColumn(names(130_000), 100)).toBe(4 + 'name-129999'.length + 2)
})
