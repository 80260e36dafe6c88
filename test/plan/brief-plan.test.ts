import { describe, expect, test } from 'vitest'
import { briefPlan, expandPlan, type PlanWithPointers } from '../../src/plan/brief-plan.ts'
import { recordId } from '../../src/records/record-id.ts'
import { renderText } from '../../src/plan/render/text/render-text.ts'
import { examples } from '../support/example-records.ts'
import { planAgainst } from './plan-against.ts'

const named = (count: number) => Array.from({ length: count }, (_, index) => `c${index}`)
const shown = { color: false, width: 100, next: null }

/** As a client gets it: JSON text in between. */
const sent = (placed: PlanWithPointers) => expandPlan(JSON.parse(JSON.stringify(briefPlan(placed))))

async function placed(live: object, document: object): Promise<PlanWithPointers> {
  const plan = await planAgainst(live, document)
  return {
    plan,
    pointers: new Map(plan.changes.map((change, index) => [recordId(change), `/${change.type}/${index}`])),
  }
}

/** Many creations, in the middle of changes that somebody may want to see: of a secret, an update, a few creations. */
const MIXED = [
  { services: examples('services', ['a', 'b']) },
  {
    services: [{ code: 'a', name: 'renamed' }, ...examples('services', ['c'])],
    characteristics: examples('characteristics', named(150)),
    machineUsers: examples('machineUsers', named(150)),
  },
] as const

describe('a brief plan', () => {
  test('says type, key, digest and pointer of each creation where a type has more than 100 of them', async () => {
    const whole = await placed({}, { characteristics: examples('characteristics', named(101)) })
    const { changes, pointers, digest, summary } = briefPlan(whole)
    expect(changes).toEqual(
      whole.plan.changes.map(({ type, key, afterDigest }, index) => [
        type,
        key,
        afterDigest,
        `/characteristics/${index}`,
      ]),
    )
    expect({ pointers, digest, summary }).toEqual({
      pointers: {},
      digest: whole.plan.digest,
      summary: whole.plan.summary,
    })
  })

  test('has a hundred of them as they are', async () => {
    const { plan, pointers } = await placed({}, { characteristics: examples('characteristics', named(100)) })
    expect(briefPlan({ plan, pointers })).toEqual({ ...plan, pointers: Object.fromEntries(pointers) })
  })

  test('is expanded to the same plan, without the bodies of these creations', async () => {
    const { plan, pointers } = await placed(...MIXED)
    const changes = plan.changes.map((change) =>
      change.type === 'characteristics' ? { ...change, after: null } : change,
    )
    expect(sent({ plan, pointers })).toEqual({ plan: { ...plan, changes }, pointers })
    expect(new Set(plan.changes.map(({ type, action }) => `${action} ${type}`))).toEqual(
      new Set([
        'update services',
        'create services',
        'delete services',
        'create characteristics',
        'create machineUsers',
      ]),
    )
  })

  test('stays the same however often it is sent on', async () => {
    const once = sent(await placed(...MIXED))
    expect(sent(once)).toEqual(once)
  })

  test('reads like the whole plan', async () => {
    const whole = await placed(...MIXED)
    expect(renderText(sent(whole).plan, shown)).toBe(renderText(whole.plan, shown))
  })
})
