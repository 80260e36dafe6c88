import { describe, expect, test } from 'vitest'
import { briefPlan } from '../../src/plan/brief-plan.ts'
import { renderText } from '../../src/plan/render/render-text.ts'
import { examples } from '../support/example-records.ts'
import { planAgainst } from './plan-against.ts'

const named = (count: number) => Array.from({ length: count }, (_, index) => `c${index}`)
const shown = { color: false, width: 100, next: null }

describe('a brief plan', () => {
  test('has no bodies of creations where a type has more than 100 of them', async () => {
    const plan = await planAgainst({}, { characteristics: examples('characteristics', named(101)) })
    const brief = briefPlan(plan)
    expect(brief.changes.map(({ after }) => after)).toEqual(Array(101).fill(null))
    expect(brief).toMatchObject({ digest: plan.digest, summary: plan.summary })
  })

  test('keeps the bodies of a hundred', async () => {
    const plan = await planAgainst({}, { characteristics: examples('characteristics', named(100)) })
    expect(briefPlan(plan)).toEqual(plan)
  })

  test('keeps what somebody may want to see: updates, deletes, and creations of secrets', async () => {
    const before = { services: examples('services', ['a', 'b']) }
    const after = {
      characteristics: examples('characteristics', named(150)),
      services: [{ code: 'a', name: 'renamed' }],
      machineUsers: examples('machineUsers', named(150)),
    }
    const plan = await planAgainst(before, after)
    const kept = briefPlan(plan).changes.filter(({ type }) => type !== 'characteristics')
    expect(kept).toEqual(plan.changes.filter(({ type }) => type !== 'characteristics'))
  })

  test('reads like the whole plan', async () => {
    const after = { characteristics: examples('characteristics', named(150)), services: examples('services', ['a']) }
    const plan = await planAgainst({ services: examples('services', ['b']) }, after)
    expect(renderText(briefPlan(plan), shown)).toBe(renderText(plan, shown))
  })
})
