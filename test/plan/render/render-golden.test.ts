import { describe, expect, test } from 'vitest'
import type { SourcePosition } from '../../../src/lib/diagnostic.ts'
import type { Plan } from '../../../src/plan/plan.ts'
import { fitMarkdown } from '../../../src/plan/render/markdown/fit-markdown.ts'
import { renderText } from '../../../src/plan/render/text/render-text.ts'
import { golden } from '../../support/golden.ts'
import { GOLDEN_PLANS } from './golden/plans.ts'

// Every file in `golden/` is what a person sees of one plan. `UPDATE_GOLDEN=1 npx vitest run test/plan` writes them anew.

const file = (name: string) => new URL(`golden/${name}`, import.meta.url)
const nextStep = ({ outcome }: Plan) => (outcome === 'changes' ? { label: 'Apply it', command: 'npm run apply' } : null)
const allow = 'npm run apply -- --allow'
const sourceLink = ({ file, line }: SourcePosition) => `https://github.example/lindenhof/blob/main/${file}#L${line}`

describe.each(Object.entries(GOLDEN_PLANS))('plan %s', (name, plan) => {
  test('as text of 80 columns', () => {
    const text = `${renderText(plan, { color: false, width: 80, next: nextStep(plan), allow })}\n`
    expect(text).toBe(golden(file(`${name}.txt`), text))
  })

  test('as markdown', () => {
    const markdown = fitMarkdown(plan, { title: 'models', sourceLink })
    expect(markdown).toBe(golden(file(`${name}.md`), markdown))
  })
})

describe.each(['03-updates', '04-deletes', '07-moves', '08-scope'])('plan %s', (name) => {
  test('in colour, with the escape character shown as ␛', () => {
    const plan = planNamed(name)
    const text = renderText(plan, { color: true, width: 120, next: nextStep(plan), allow }).replaceAll('\u001b', '␛')
    expect(`${text}\n`).toBe(golden(file(`${name}.color.txt`), `${text}\n`))
  })
})

test('a plan without changes is one line of text', () => {
  expect(renderText(planNamed('01-no-changes'), { color: false, width: 80, next: null })).toBe(
    'No changes. 243 records of 3 types are as the documents say; 9 types are unmanaged.',
  )
})

describe.each([
  ['10-collapsed', 2_500],
  ['09-mass-delete', 2_000],
])('plan %s in a comment of %i bytes', (name, budget) => {
  test('says what it leaves out, the deletes last', () => {
    const markdown = fitMarkdown(planNamed(name), { budget })
    expect(markdown).toBe(golden(file(`${name}.short.md`), markdown))
  })
})

test('a budget that cannot hold the first lines is refused', () => {
  expect(() => fitMarkdown(planNamed('03-updates'), { budget: 1_999 })).toThrow('at least 2000 bytes, not 1999')
})

function planNamed(name: string): Plan {
  const plan = GOLDEN_PLANS[name]
  if (plan === undefined) throw new Error(`there is no golden plan ${name}`)
  return plan
}
