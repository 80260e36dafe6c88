import { expect, test } from 'vitest'
import validators from '../../generated/validators.cjs'
import { readDocument } from '../../src/documents/read/read-document.ts'
import { didYouMean } from '../../src/lib/suggest.ts'
import { acknowledging, isNew } from '../../src/plan/guards/guards.ts'
import { makePlan } from '../../src/plan/make-plan.ts'
import { withhold } from '../../src/plan/withhold.ts'
import { NO_SETTINGS } from '../../src/records/settings.ts'
import { fileLiveState } from '../../src/reconcile/models/file-live-state.ts'
import { fairTime } from '../support/slowness.ts'
import { planAgainst } from './plan-against.ts'

// Settings come from anybody who may plan. Quadratic time would take more than this.

const LONGEST_MS = 3_000
const quick = (work: () => unknown) => async () => expect(await fairTime(work)).toBeLessThan(LONGEST_MS)

const PLANS_ONLY = { readsModel: false, readsData: false }

test(
  'hides the names in a long message in linear time',
  quick(async () => {
    const plan = await planAgainst({}, {})
    const message = `${'users/'.repeat(20_000)}\n.`
    const found = { severity: 'warning', code: 'meaningless-move', message, pointer: '' } as const
    const persons = { isNamed: () => false, lives: () => false }
    expect(withhold({ ...plan, diagnostics: [found] }, PLANS_ONLY, persons).diagnostics).toEqual([found])
  }),
)

test('hides a name that holds a line feed', async () => {
  const plan = await planAgainst({}, {})
  const found = { severity: 'warning', code: 'x', message: 'users/ann\ncanary is gone', pointer: '' } as const
  const persons = { isNamed: () => false, lives: () => true }
  const [shown] = withhold({ ...plan, diagnostics: [found] }, PLANS_ONLY, persons).diagnostics
  expect(shown?.message).toBe('users/… is gone')
})

test.each([
  ['a long key', 'k'.repeat(5_000), 'maxLength'],
  ['a control character', 'a\nb', 'pattern'],
])('settings with %s are not valid', (_, key, keyword) => {
  const entries = [
    { moved: [{ type: 'services', from: key, to: 'b' }] },
    { moved: [{ type: 'services', from: 'a', to: key }] },
    { protect: [{ type: 'services', key }] },
    { acknowledge: [{ code: 'deletes-data', type: 'services', key }] },
  ]
  const keywords = entries.map((entry) => validators.settings(entry) || validators.settings.errors?.[0]?.keyword)
  expect(keywords).toEqual(entries.map(() => keyword))
})

test(
  'a spelling is guessed only among texts of a similar length',
  quick(() => {
    const keys = Array.from({ length: 2_000 }, (_, index) => `service-${index}`)
    for (let entry = 0; entry < 20; entry += 1) expect(didYouMean(`${entry}${'b'.repeat(100_000)}`, keys)).toBe('')
    const long = keys.map((key) => key + 'b'.repeat(100_000))
    expect(didYouMean('service-77', [...long, 'service-7'])).toBe(' Did you mean "service-7"?')
    expect(didYouMean(long[0] ?? '', long.slice(1))).toBe('')
  }),
)

const acknowledgements = (reason: string) =>
  Array.from({ length: 30_000 }, (_, n) => ({ code: 'deletes-data', type: 'services', key: `k${n}`, reason }) as const)

test(
  'many acknowledgements are compared with many others in linear time',
  quick(async () => {
    const [old, given] = [acknowledgements('a'), acknowledgements('b')]
    expect(given.filter(isNew(old))).toHaveLength(given.length)
    expect(given.filter(isNew(given))).toEqual([])
    const find = acknowledging(given)
    expect(given.every((one) => find(one)[0] === one)).toBe(true)
    const base = { services: [{ code: 'waits', name: 'Waits' }] }
    const { plan } = await makePlan(
      readDocument({ services: [] }),
      fileLiveState(readDocument({ services: [] }).snapshot),
      { ...NO_SETTINGS, acknowledge: given },
      { base: { snapshot: readDocument(base).snapshot, moved: [], acknowledge: old } },
    )
    expect([plan.own?.waiting.count, plan.diagnostics]).toEqual([1, []])
  }),
)
