import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Plan } from '../../../src/plan/plan.ts'
import { rootsOf } from '../../../src/plan/render/roots.ts'
import { recordName } from '../../../src/plan/render/change-notes.ts'
import { MARKDOWN_BUDGET, fitMarkdown } from '../../../src/plan/render/markdown/fit-markdown.ts'
import { htmlOf, readPage } from './comment-html.ts'
import { deleted, guard, managed, planOf, updated } from './plan-builder.ts'
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
const RUNS = { numRuns: runsOf('LAW_RUNS', { sample: 30, long: 1_500 }) }

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
        const counted = deletesCounted(markdown)
        const all = markdown.includes(NOTHING) ? plan.summary.delete : counted
        expect(deletesHidden(plan, page.codeLines)).toBeLessThanOrEqual(all)
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
  test.each([500, isLong ? 100_000 : 20_000])('of %i the first are in sight, and no one is left uncounted', (many) => {
    const codes = [...Array(many).keys()].map((index) => `sensor-${index}`)
    const scope = { services: { ...managed(1, many + 1), guards: [guard('mass-delete', 'too many')] } }
    const plan = planOf({ scope, changes: codes.map((code) => deleted('services', code, { code, name: code })) })
    const markdown = fitMarkdown(plan)
    const [sight = ''] = markdown.split('<details>')
    expect(Buffer.byteLength(markdown)).toBeLessThanOrEqual(MARKDOWN_BUDGET)
    expect(sight.match(/^- services\//gm)).toHaveLength(40)
    expect(deletesHidden(plan, readPage(htmlOf(markdown)).codeLines)).toBe(deletesCounted(markdown))
    expect(markdown).toContain(`… and ${(many - 40).toLocaleString('en-US')} more`)
    expect(sight).toMatch(/- \{ code: mass-delete, type: services, reason: … \}[^]*#### Deletes/)
  })

  test('that follow from another one are counted below it, whether the document asks for them or not', () => {
    const links = [...Array(1_000).keys()].map((index) => {
      const [characteristicCode, key] = [`sensor-${index}`, `sensor-${index}/boiler`]
      const reason = index % 2 === 0 ? {} : { reason: 'services/boiler is deleted' }
      return deleted('characteristicServiceLinks', key, { characteristicCode, serviceCode: 'boiler' }, reason)
    })
    const kept = deleted('characteristicServiceLinks', 'a/b', { characteristicCode: 'a', serviceCode: 'b' })
    const markdown = fitMarkdown(
      planOf({ changes: [...links, kept, deleted('services', 'boiler', { code: 'boiler' })] }),
    )
    expect(markdown).toContain(
      [
        '#### Deletes (1,002)',
        '```diff',
        '- services/boiler',
        '#   with it: 1,000 characteristicServiceLinks',
        '- characteristicServiceLinks/a/b',
      ].join('\n'),
    )
    expect(markdown).not.toContain('left out')
  })

  test('that follow from another one but need a decision stand for themselves', () => {
    const body = { characteristicCode: 'a', serviceCode: 'boiler' }
    const guards = [guard('deletes-data', '3 components belong to it')]
    const changes = [
      deleted('services', 'boiler', { code: 'boiler' }),
      deleted('characteristicServiceLinks', 'a/boiler', body, { guards }),
    ]
    expect(fitMarkdown(planOf({ changes }))).toMatch(/^- characteristicServiceLinks\/a\/boiler\n/m)
  })

  test('leave the room to the lines for holdfast.yaml', () => {
    const guards = [guard('deletes-data', '3 components, 1,204,332 datapoints belong to it; status: ARCHIVED keeps it')]
    const codes = [...Array(2_000).keys()].map((index) => `sensor-${index}`)
    const markdown = fitMarkdown(
      planOf({ changes: codes.map((code) => deleted('services', code, { code }, { guards })) }),
    )
    const lines = markdown.match(/^ {2}- \{ code: deletes-data, type: services, key: sensor-\d+, reason: … \}$/gm) ?? []
    expect(lines.length).toBeGreaterThan(800)
    expect(markdown).toContain(`# … and ${(2_000 - lines.length).toLocaleString('en-US')} more`)
    expect(Buffer.byteLength(markdown)).toBeLessThanOrEqual(MARKDOWN_BUDGET)
  })

  test('that take data with them come first, and are left out last', () => {
    const guards = [guard('deletes-data', '3 components belong to it')]
    const codes = [...Array(200).keys()].map((index) => `sensor-${index}`)
    const changes = codes.map((code, index) => deleted('services', code, { code }, index % 50 === 0 ? { guards } : {}))
    const named = readPage(htmlOf(fitMarkdown(planOf({ changes }), { budget: 2_000 }))).codeLines.filter((line) =>
      line.startsWith('- services/'),
    )
    expect(named.slice(0, 5)).toEqual([0, 100, 150, 50, 1].map((index) => `- services/sensor-${index}`))
    expect(named.length).toBeLessThan(200)
  })

  test('come before moves and guarded changes, of which the first are in sight, too', () => {
    const guards = [guard('invalidates-data', 'the dataType changes')]
    const codes = [...Array(200).keys()].map((index) => `sensor-${index}`)
    const changes = [
      ...codes.map((code) => updated('characteristics', code, { code }, { code, name: 'x' }, { guards })),
      ...codes.map((code) => deleted('services', code, { code })),
    ]
    const markdown = fitMarkdown(planOf({ changes }))
    expect(markdown.match(/^#### .*\(\d+\)$/gm)).toEqual(['#### Deletes (200)', '#### Guarded changes (200)'])
    expect(markdown.match(/<summary>… and 160 more: 160 \w+<\/summary>/g)).toHaveLength(2)
  })
})

test('of many updates those come first that undo what somebody did, then those that stand for most records', () => {
  const drift = { actor: 'grace', at: '2026-05-01T10:00:00Z' }
  const changes = [...Array(900).keys()].map((index) => {
    const [code, before] = [`sensor-${String(index).padStart(3, '0')}`, 'x'.repeat(60)]
    const after = index < 100 ? 'same' : `other ${index}`
    const more = index === 899 ? ({ cause: 'drift', drift } as const) : {}
    return updated('characteristics', code, { code, description: before }, { code, description: after }, more)
  })
  const markdown = fitMarkdown(planOf({ changes }), { budget: 16_000 })
  const heads = markdown.match(/^- \*\*~\*\* .*$/gm) ?? []
  expect(heads.slice(0, 3)).toEqual(['- **~** `sensor-899`', '- **~** 100 records', '- **~** `sensor-100`'])
  expect(markdown).toMatch(/left out: the fields of [\d,]+ changes/)
})

function sectionsOf(plan: Plan): readonly string[] {
  return fitMarkdown(plan).match(/#### \w+|Scope of all record types/g) ?? []
}

function sourceLink({ file, line }: { file: string; line: number }): string {
  return `${ADDRESS}blob/0123abc/${file}#L${line}`
}

/** The deletes that are neither named nor counted below the one that they follow from. */
function deletesHidden(plan: Plan, codeLines: readonly string[]): number {
  const lines = new Set(codeLines)
  const roots = rootsOf(plan.changes.filter(({ action }) => action === 'delete'))
  const hidden = roots.filter(({ change }) => !lines.has(`- ${recordName(change)}`))
  return hidden.reduce((sum, { followers }) => sum + 1 + followers.length, 0)
}

/** `left out: **12 deletes, moves or guarded changes**` */
function deletesCounted(markdown: string): number {
  return Number((/left out: \*\*([\d,]+) (?:delete|deletes),/.exec(markdown)?.[1] ?? '0').replaceAll(',', ''))
}
