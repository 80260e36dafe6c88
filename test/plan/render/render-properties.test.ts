import { stripVTControlCharacters } from 'node:util'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { allowLines, openGuardsOf, yamlLines } from '../../../src/plan/render/acknowledging.ts'
import { accessSentence } from '../../../src/plan/render/access-text.ts'
import { codeSpan } from '../../../src/plan/render/markdown/markdown-text.ts'
import { recordName } from '../../../src/plan/render/change-notes.ts'
import { rootsOf, type Root } from '../../../src/plan/render/roots.ts'
import { openGuards } from '../../../src/plan/render/verdict.ts'
import { isUnfolded } from '../../../src/plan/render/markdown/markdown-detail.ts'
import { allChanges, type Change, type Plan } from '../../../src/plan/plan.ts'
import { renderDiagnostics } from '../../../src/plan/render/render-diagnostics.ts'
import { MARKDOWN_BUDGET, fitMarkdown } from '../../../src/plan/render/markdown/fit-markdown.ts'
import { displayWidth } from '../../../src/lib/display-width.ts'
import { renderText } from '../../../src/plan/render/text/render-text.ts'
import { changeName } from '../../../src/plan/render/text/text-change.ts'
import { runsOf } from '../../support/runs.ts'
import { outsideCode } from './markdown-reader.ts'
import { randomPlan } from './random-plans.ts'

const MANY = { numRuns: runsOf('LAW_RUNS', { sample: 20, long: 250 }) }
const SOME = { numRuns: runsOf('LAW_RUNS', { sample: 8, long: 60 }) }
/** All that a terminal or a reader does not see as it is, but for the end of a line. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u
const SGR = new RegExp(String.raw`\u001b\[[\d;]*m`, 'g')

const SIGN = /^[-+~→!·] /
/** A path that leaves no room for a value beside it. Two spaces come before a value; a quoted key may hold them, too. */
const PATH = /^ {6}[-+~] (?:"(?:[^"\\]|\\.)*"|(?! {2})[^"])*$/
/** Text that the reader copies as it stands. */
const COPIED = /^ {4}(?:- \{|--allow)|^digest /
const widths = fc.constantFrom(20, 80, 120)
const text = (plan: Plan, width = 80, color = false) =>
  renderText(plan, { color, width, next: { command: 'npm run apply' } })
const deletesOf = (plan: Plan) => plan.changes.filter(({ action }) => action === 'delete')

describe('a plan as text', () => {
  test('shows every delete, move and guarded change by its key, or counts it below what it follows from', () => {
    fc.assert(
      fc.property(randomPlan, widths, (plan, width) => {
        const shown = text(plan, width)
        const lines = shown.split('\n')
        const roots = rootsOf(plan.changes.filter(isUnfolded))
        const hidden = roots.filter(({ change }) => !lines.some((line) => line.startsWith(headOf(change))))
        const counted = [...shown.matchAll(/^ {2}… and ([\d,]+) more/gm)].map(([, count = '']) => Number(count))
        expect(sum(hidden.map(({ followers }) => 1 + followers.length))).toBeLessThanOrEqual(sum(counted))
        // What needs a decision is hidden last.
        expect(roots.filter(isOpen).length).toBeGreaterThan(hidden.some(isOpen) ? 40 : -1)
      }),
      SOME,
    )
  })

  test('has no line that is too wide and could be broken', () => {
    fc.assert(
      fc.property(randomPlan, fc.constantFrom(40, 60, 80), (plan, width) => {
        // Findings are for tools, too.
        const wide = text({ ...plan, diagnostics: [] }, width)
          .split('\n')
          .filter((line) => displayWidth(line) > width)
        const names = new Set(allChanges(plan).flatMap((change) => [recordName(change), changeName(change)]))
        const breakable = wide.filter((line) => {
          const rest = line.trim().replace(SIGN, '')
          return rest.includes(' ') && !names.has(rest) && !COPIED.test(line) && !PATH.test(line)
        })
        expect(breakable).toEqual([])
      }),
      MANY,
    )
  })

  test('shows every grant, at a width that breaks no line', () => {
    fc.assert(
      fc.property(randomPlan, (plan) => {
        const shown = text(plan, 10_000)
        for (const change of plan.access.changes) expect(shown).toContain(accessSentence(change))
      }),
      SOME,
    )
  })

  test('holds no control character but the ends of lines and the colours', () => {
    fc.assert(
      fc.property(randomPlan, fc.boolean(), (plan, color) => {
        const seen = text(plan, 80, color).replace(SGR, '').split('\n')
        expect(seen.filter((line) => UNSEEN.test(line))).toEqual([])
      }),
      MANY,
    )
  })

  test('says the same without colour', () => {
    fc.assert(
      fc.property(randomPlan, widths, (plan, width) => {
        expect(stripVTControlCharacters(text(plan, width, true))).toBe(text(plan, width, false))
      }),
      MANY,
    )
  })

  test('is the same for the same plan, also when it comes from a file', () => {
    fc.assert(
      fc.property(randomPlan, (plan) => {
        const read = JSON.parse(JSON.stringify(plan)) as Plan
        expect(text(read)).toBe(text(plan))
        expect(fitMarkdown(read)).toBe(fitMarkdown(plan))
      }),
      SOME,
    )
  })

  test('has one line for each finding', () => {
    fc.assert(
      fc.property(randomPlan, ({ diagnostics }) => {
        const lines = renderDiagnostics(diagnostics, { color: false }).split('\n')
        expect(lines).toHaveLength(Math.max(1, diagnostics.length))
      }),
      MANY,
    )
  })
})

describe('a plan as markdown', () => {
  test('shows every grant, whatever has to go', () => {
    fc.assert(
      fc.property(randomPlan, fc.constantFrom(8_000, MARKDOWN_BUDGET), (plan, budget) => {
        const markdown = fitMarkdown(plan, { budget })
        const shown = plan.access.changes.filter((change) => markdown.includes(codeSpan(accessSentence(change))))
        expect(shown).toHaveLength(plan.access.changes.length)
      }),
      SOME,
    )
  })

  test('keeps within its budget, with every block closed and nothing from outside but in code', () => {
    const budgets = fc.oneof(fc.integer({ min: 2_000, max: 10_000 }), fc.constant(MARKDOWN_BUDGET))
    fc.assert(
      fc.property(randomPlan, budgets, (plan, budget) => {
        const markdown = fitMarkdown(plan, {
          budget,
          title: plan.domain,
          sourceLink: ({ file }) => `https://github.example/${file}`,
        })
        expect(markdown.length).toBeLessThanOrEqual(budget)
        const prose = outsideCode(markdown)
        expect(prose.filter((line) => line.startsWith('<details'))).toHaveLength(
          prose.filter((line) => line === '</details>').length,
        )
        expect(prose.filter((line) => FOREIGN.test(line))).toEqual([])
        // GitLab carries out a line such as `/close` in what a job posts.
        expect(markdown.split('\n').filter((line) => line.startsWith('/'))).toEqual([])
      }),
      MANY,
    )
  })

  test('shows every delete, or says how many it does not show', () => {
    fc.assert(
      fc.property(randomPlan, (plan) => {
        const markdown = fitMarkdown(plan)
        const missing = rootsOf(deletesOf(plan)).filter(
          ({ change }) => !markdown.includes(`\n- ${recordName(change)}\n`),
        )
        const said = /left out: \*\*([\d,]+) delete/.exec(markdown)?.[1] ?? '0'
        expect(missing.length).toBeLessThanOrEqual(Number(said.replaceAll(',', '')))
      }),
      SOME,
    )
  })
})

/** Outside of code only Holdfast speaks: no mention, comment, reference, foreign tag or address. */
const FOREIGN = /@|<!|-->|#\d|evil|<(?!\/?(?:details|summary|b)\b)|https?:/

describe('how to acknowledge a guard', () => {
  test('is YAML that names exactly the guard', () => {
    fc.assert(
      fc.property(randomPlan, (plan) => {
        const guards = openGuardsOf(plan).slice(0, 20)
        const acknowledge = guards.length === 0 ? null : guards.map((guard) => ({ ...guard, reason: '…' }))
        expect(parse(yamlLines(guards).join('\n'))).toEqual({ acknowledge })
      }),
      MANY,
    )
  })

  test('is quoted for the shell where it has to be', () => {
    expect(allowDeletion('climate/room')).toBe('apply --allow deletes-data:services/climate/room')
    expect(allowDeletion("Ada's $HOME")).toBe(String.raw`apply --allow 'deletes-data:services/Ada'\''s $HOME'`)
    expect(allowDeletion("a\nb\\c'")).toBe(String.raw`apply --allow $'deletes-data:services/a\nb\\c\''`)
  })
})

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}

function isOpen({ change }: Root): boolean {
  return openGuards(change).length > 0
}

function headOf(change: Change): string {
  const { action } = change
  if (action === 'delete') return `  - ${recordName(change)}`
  return `  ${action === 'move' ? '→' : action === 'create' ? '+' : '~'} ${changeName(change)}`
}

function allowDeletion(key: string): string {
  return allowLines('apply --allow', [{ code: 'deletes-data', type: 'services', key }]).join('\n')
}
