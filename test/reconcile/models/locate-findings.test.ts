import { expect, test } from 'vitest'
import { briefPlan, expandPlan } from '../../../src/plan/brief-plan.ts'
import { renderText } from '../../../src/plan/render/text/render-text.ts'
import { locatePlan } from '../../../src/reconcile/models/locate-findings.ts'
import { loadFiles } from '../../documents/load-files.ts'
import { planAgainst } from '../../plan/plan-against.ts'
import { models } from '../sample.ts'

const codes = (start: number, count: number) => Array.from({ length: count }, (_, index) => `c${start + index}`)

test('a brief plan with the files of its creations reads like the whole plan with their positions', async () => {
  const loaded = loadFiles({ 'a.json': models(...codes(1000, 90)), 'b.json': models(...codes(2000, 70)) })
  const plan = await planAgainst({}, loaded.document)
  const pointers = new Map(plan.changes.map(({ type, key }, index) => [`${type}/${key}`, `/${type}/${index}`]))
  const [whole, brief] = [{ plan, pointers }, expandPlan(briefPlan({ plan, pointers }))].map((shown) =>
    renderText(locatePlan(shown, loaded), { color: false, width: 100, next: null }),
  )
  expect(whole).toContain('a.json (90), b.json (70)')
  expect(brief).toBe(whole)
})
