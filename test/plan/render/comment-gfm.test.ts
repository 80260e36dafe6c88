import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Plan } from '../../../src/plan/plan.ts'
import { recordName } from '../../../src/plan/render/change-notes.ts'
import { MARKDOWN_BUDGET, fitMarkdown } from '../../../src/plan/render/markdown/fit-markdown.ts'
import { htmlOf, readPage } from './comment-html.ts'
import { deleted, guard, planOf, updated } from './plan-builder.ts'
import { randomPlans } from './random-plans.ts'
import { isLong, runsOf } from '../../support/runs.ts'

// What a plan looks like where it is shown: by a real reader of GitHub's markdown, for texts that try to break out.

const ADDRESS = 'https://github.example/acme/models/'
const ALLOWED = new Set(
  'h3 h4 p pre code ul li details summary b strong table thead tbody tr th td a blockquote'.split(' '),
)
/** Mentions, references to issues and commits, addresses, tasks, footnotes: GitHub makes something of each. */
const ALIVE = /@\w|#\d|\bGH-\d|www\.|https?:|evil|\[[ x]\]|\[\^/i

const NOTHING = '**all details are left out**'
/** 200 characters, each written out, and the fence that grows with it. */
const LONGEST_NAME = 1_500
/** Small, because it is the reader of markdown that takes the time. */
const plans = randomPlans({ changes: 3, small: 100 })
/** A small budget shows with a small plan what the real one does with a large one. */
const budgets = fc.oneof(fc.constant(MARKDOWN_BUDGET), {
  weight: 3,
  arbitrary: fc.integer({ min: 2_000, max: 4_000 }),
})
/** LAW_RUNS asks for another number. */
const RUNS = { numRuns: runsOf('LAW_RUNS', { sample: 60, long: 1_500 }) }

describe(`${RUNS.numRuns} plans as comments`, () => {
  test('fit, are well-formed, hold nothing that lives, and name every delete or count it', { timeout: 600_000 }, () => {
    fc.assert(
      fc.property(plans, budgets, (plan, budget) => {
        const markdown = fitMarkdown(plan, { budget, title: plan.domain, sourceLink })
        const page = readPage(htmlOf(markdown))
        if (Buffer.byteLength(markdown) > budget) throw new Error('too long')
        if (page.comments.length > 0) throw new Error(`comments: ${page.comments.join(', ')}`)
        expect(page.tags.filter((name) => !ALLOWED.has(name))).toEqual([])
        expect(page.links.filter((address) => !address.startsWith(ADDRESS))).toEqual([])
        expect(ALIVE.exec(page.prose)).toBeNull()
        const counted = deletesCounted(plan, markdown)
        expect(deletesShown(plan, page.codeLines) + counted).toBe(plan.summary.delete)
        // Only counted where not one more name would have fitted.
        const isFull =
          counted === 0 || markdown.includes(NOTHING) || Buffer.byteLength(markdown) > budget - LONGEST_NAME
        expect(isFull).toBe(true)
      }),
      RUNS,
    )
  })
})

test('what is managed comes first where that changes, and below everything else where it does not', () => {
  const changes = [deleted('services', 'boiler', { code: 'boiler' })]
  expect(sectionsOf(planOf({ changes }))).toEqual(['#### Deletes', 'Scope of all record types'])
  const scope = { users: { state: 'released', previously: 'managed', actual: 2 } } as const
  expect(sectionsOf(planOf({ changes, scope }))).toEqual(['#### Scope', '#### Deletes', 'Scope of all record types'])
})

describe('many deletes', () => {
  test.each([
    [500, 500],
    [isLong ? 100_000 : 20_000, 1_900],
  ])('of %i at least %i are named, the others counted', (many, least) => {
    const guards = [guard('deletes-data', '3 components, 1,204,332 datapoints hang on it; `status: ARCHIVED` keeps it')]
    const codes = [...Array(many).keys()].map((index) => `sensor-${index}`)
    const plan = planOf({ changes: codes.map((code) => deleted('services', code, { code, name: code }, { guards })) })
    const markdown = fitMarkdown(plan)
    const shown = deletesShown(plan, readPage(htmlOf(markdown)).codeLines)
    expect(Buffer.byteLength(markdown)).toBeLessThanOrEqual(MARKDOWN_BUDGET)
    expect(shown).toBeGreaterThanOrEqual(least)
    expect(shown + deletesCounted(plan, markdown)).toBe(many)
  })

  test('that take data with them come first, and are left out last', () => {
    const guards = [guard('deletes-data', '3 components hang on it')]
    const codes = [...Array(200).keys()].map((index) => `sensor-${index}`)
    const changes = codes.map((code, index) => deleted('services', code, { code }, index % 50 === 0 ? { guards } : {}))
    const named = readPage(htmlOf(fitMarkdown(planOf({ changes }), { budget: 2_000 }))).codeLines.filter((line) =>
      line.startsWith('- services/'),
    )
    expect(named.slice(0, 5)).toEqual([0, 100, 150, 50, 1].map((index) => `- services/sensor-${index}`))
    expect(named.length).toBeLessThan(200)
  })

  test('come before moves and guarded changes', () => {
    const guards = [guard('invalidates-data', 'the dataType changes')]
    const codes = [...Array(200).keys()].map((index) => `sensor-${index}`)
    const changes = [
      ...codes.map((code) => updated('characteristics', code, { code }, { code, name: 'x' }, { guards })),
      ...codes.map((code) => deleted('services', code, { code })),
    ]
    const markdown = fitMarkdown(planOf({ changes }), { budget: 7_000 })
    expect(markdown).toContain('#### Deletes (200)')
    expect(markdown).toMatch(/^#### Guarded changes \(\d+ of 200\)$/m)
  })
})

function sectionsOf(plan: Plan): readonly string[] {
  return fitMarkdown(plan).match(/#### \w+|Scope of all record types/g) ?? []
}

function sourceLink({ file, line }: { file: string; line: number }): string {
  return `${ADDRESS}blob/0123abc/${file}#L${line}`
}

function deletesShown(plan: Plan, codeLines: readonly string[]): number {
  const lines = new Set(codeLines)
  return plan.changes.filter((change) => change.action === 'delete' && lines.has(`- ${recordName(change)}`)).length
}

/** `#### Deletes (12 of 40)`; without any details only the first line counts them. */
function deletesCounted({ summary }: Plan, markdown: string): number {
  if (markdown.includes(NOTHING)) return summary.delete
  const [, shown, all] = /^#### Deletes \(([\d,]+)(?: of ([\d,]+))?\)$/m.exec(markdown) ?? []
  return all === undefined ? 0 : number(all) - number(shown)
}

function number(text: string | undefined): number {
  return Number((text ?? '0').replaceAll(',', ''))
}
