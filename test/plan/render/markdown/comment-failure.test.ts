import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { differenceBlock, effectsOf, type Effect } from '../../../../src/plan/render/markdown/comment-effects.ts'
import { renderFailure, type Failure } from '../../../../src/plan/render/markdown/comment-failure.ts'
import { htmlOf, readPage } from '../comment-html.ts'
import { created, deleted, planOf, updated } from '../plan-builder.ts'
import { hostileText } from '../random-plans.ts'
import { runsOf } from '../../../support/runs.ts'

const LEGEND = '# + nobody has reviewed   - was reviewed, and is not in the plan any more'
const effect = fc.record({
  what: hostileText,
  how: fc.constantFrom('create', 'delete'),
  result: fc.constantFrom('a', 'b'),
})
const failure: fc.Arbitrary<Failure> = fc.record({
  headline: fc.constant('Not applied'),
  platform: hostileText,
  message: hostileText,
  diagnostics: fc.array(
    fc.record({
      severity: fc.constantFrom('error', 'warning'),
      code: hostileText,
      message: hostileText,
      pointer: hostileText,
    }),
    { maxLength: 4 },
  ),
  notes: fc.constant(['**Nothing was changed.**']),
  advice: fc.constant(['Do it again.']),
  difference: fc
    .tuple(fc.array(effect, { maxLength: 4 }), fc.array(effect, { maxLength: 4 }))
    .map(([before, after]) => differenceBlock(before, after)),
})

describe('a failure as a comment', () => {
  test('is well-formed and holds nothing that lives, whatever went wrong', () => {
    fc.assert(
      fc.property(failure, (one) => {
        const page = readPage(htmlOf(renderFailure(one, 60_000)))
        expect([page.comments, page.links]).toEqual([[], []])
        expect(page.prose).not.toMatch(/@\w|#\d|www\.|https?:|evil/)
      }),
      { numRuns: runsOf('LAW_RUNS', { sample: 100, long: 1_000 }) },
    )
  })

  test('leaves out findings until it fits, and counts them', () => {
    const finding = {
      severity: 'error',
      code: 'missing-key',
      message: 'x'.repeat(100),
      pointer: '/services/0',
    } as const
    const many = { headline: 'Not planned', platform: 'p', message: 'm', notes: [], advice: [] }
    const text = renderFailure({ ...many, diagnostics: Array.from({ length: 5_000 }, () => finding) }, 60_000)
    expect(text.split('\n')[0]).toBe('### ❌ Not planned: 5,000 errors on `p`')
    expect(text).toContain('> Too long for one comment; left out: 4,800 findings.')
    expect(Buffer.byteLength(text)).toBeLessThan(60_000)
  })
})

describe('what is other than reviewed', () => {
  const reviewed = effectsOf(
    planOf({
      changes: [
        deleted('services', 'gone', {}),
        updated('services', 'same', {}, { a: 1 }),
        updated('services', 'x', {}, {}),
      ],
    }),
  )

  test('is named record by record', () => {
    const now = planOf({
      changes: [
        created('services', 'new', {}),
        updated('services', 'same', {}, { a: 2 }),
        deleted('services', 'x', {}),
      ],
    })
    expect(differenceBlock(reviewed, effectsOf(now))).toEqual([
      '```diff',
      LEGEND,
      '+ create services/new',
      '! update services/same: other values than reviewed',
      '- update services/x',
      '+ delete services/x',
      '- delete services/gone',
      '```',
    ])
  })

  test('also where it is what is managed', () => {
    const now = planOf({ scope: { users: { state: 'released' } } })
    expect(differenceBlock(effectsOf(planOf({})), effectsOf(now))).toEqual([
      '```diff',
      LEGEND,
      '- unmanaged users',
      '+ released users',
      '```',
    ])
  })

  test.each([
    ['many', 'x'],
    ['long', 'x'.repeat(2_000)],
  ])('is counted where it is too %s', (_, name) => {
    const now: Effect[] = [...Array(200).keys()].map((index) => ({
      what: `${name}${index}`,
      how: 'delete',
      result: '',
    }))
    const text = differenceBlock([], now).join('\n')
    expect(Buffer.byteLength(text)).toBeLessThan(9_000)
    expect(text).toMatch(/\n# … and \d+ more\n```$/)
  })
})
