import { expect, it } from 'vitest'
import { AnswerBudget } from '../../../src/platform/answer-budget.ts'
import { applyImport } from '../../../src/platform/imports/applying/apply-import.ts'
import { applyChangeList } from '../../../src/platform/imports/history/changes-of-apply.ts'
import { driftList } from '../../../src/platform/imports/history/drift.ts'
import { changesAt } from '../../../src/platform/imports/history/change-list.ts'
import { updateRecord } from '../../../src/platform/records/change-record.ts'
import {
  lastChanges,
  recordHistory,
  type HistoryPlace,
  type RecordHistory,
} from '../../../src/platform/records/record-history.ts'
import { NO_SETTINGS } from '../../../src/records/settings.ts'
import { applyAll, plan } from '../../support/domain.ts'
import { oneDomain } from '../one-domain.ts'

const domain = oneDomain()

function sources(...codes: string[]): object {
  return { dataSources: codes.map((code) => ({ code, name: `Source ${code}` })) }
}

it('a record tells which applies changed it, under whatever keys it had', async () => {
  const context = domain()
  await applyAll(context, sources('a', 'b', 'c'))
  await applyAll(context, {
    dataSources: [
      { code: 'a', name: 'A' },
      { code: 'b', name: 'B' },
      { code: 'c', name: 'C' },
    ],
  })
  const moved = { ...NO_SETTINGS, moved: [{ type: 'dataSources' as const, from: 'b', to: 'bb' }] }
  await applyAll(
    context,
    {
      dataSources: [
        { code: 'a', name: 'A' },
        { code: 'bb', name: 'B' },
        { code: 'c', name: 'C' },
      ],
    },
    moved,
    {
      commit: 'abc1234',
    },
  )
  const { changes, next } = await recordHistory(context, { type: 'dataSources', key: 'bb' })
  expect(changes.map(({ action, key, from }) => ({ action, key, from }))).toStrictEqual([
    { action: 'move', key: 'bb', from: 'b' },
    { action: 'update', key: 'b', from: null },
    { action: 'create', key: 'b', from: null },
  ])
  expect(changes[0]?.apply).toMatchObject({ actor: 'tester', origin: { commit: 'abc1234' } })
  expect(next).toBe(null)
})

it('among many records and parts, the changes of one are found', async () => {
  const context = domain()
  const codes = Array.from({ length: 2_500 }, (_, number) => `s${String(number).padStart(5, '0')}`)
  await applyAll(context, sources(...codes))
  await applyAll(context, sources(...codes.filter((code) => code !== 's02400')))
  const { changes } = await recordHistory(context, { type: 'dataSources', key: 's02400' })
  expect(changes.map(({ action }) => action)).toStrictEqual(['delete', 'create'])
  const last = await lastChanges(context, [
    { type: 'dataSources', key: 's01234' },
    { type: 'dataSources', key: 'none' },
  ])
  expect([...last.keys()]).toStrictEqual(['dataSources/s01234'])
})

it('a history counts towards the largest answer', async () => {
  const [context, budget] = [domain(), new AnswerBudget(9_000)]
  for (const letter of ['a', 'b'])
    await applyAll(context, { dataSources: [{ code: 'long', name: 'A', description: letter.repeat(4_000) }] })
  const history = (key: string) => recordHistory({ ...context, budget }, { type: 'dataSources', key })
  expect((await history('other')).changes).toStrictEqual([])
  await expect(history('long')).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
})

it('a history goes on before an apply, and where there is none it says so', async () => {
  const { uuid } = await applyAll(domain(), sources('a'))
  const record = { type: 'dataSources', key: 'a' } as const
  const before = (apply: string) => recordHistory(domain(), record, { before: apply, key: 'a' })
  expect(await before(uuid)).toStrictEqual({ changes: [], next: null })
  await expect(before(crypto.randomUUID())).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

const named = (code: string, name: number) => ({ dataSources: [{ code, name: String(name) }] })

it('a long history is complete over its pages, also before a rename', async () => {
  const context = domain()
  for (let n = 0; n < 103; n++) await applyAll(context, named('old', n))
  const moved = { ...NO_SETTINGS, moved: [{ type: 'dataSources' as const, from: 'old', to: 'new' }] }
  await applyAll(context, named('new', 102), moved)
  for (let n = 103; n < 206; n++) await applyAll(context, named('new', n))
  const found: string[] = []
  let from: HistoryPlace | null = null
  do {
    const page: RecordHistory = await recordHistory(context, { type: 'dataSources', key: 'new' }, from)
    found.push(...page.changes.map(({ action, after }) => `${action} ${String(after?.['name'])}`))
    from = page.next
  } while (from !== null)
  const updates = Array.from({ length: 205 }, (_, n) => `update ${n + 1}`)
  expect(found.toReversed()).toEqual(['create 0', ...updates.slice(0, 102), 'move 102', ...updates.slice(102)])
})

it('where a record is described is kept, as the client said it, and nothing that is no place', async () => {
  const context = domain()
  const document = sources('a')
  const reviewed = await plan(context, document)
  const placed = (source: unknown) => ({
    ...reviewed,
    changes: reviewed.changes.map((change) => ({ ...change, source })),
  })
  const apply = (source: unknown) =>
    applyImport(context, { document, settings: NO_SETTINGS, plan: placed(source), origin: {} })
  await expect(apply({ file: 'a.yaml', line: 'x', column: 1 })).rejects.toMatchObject({ code: 'BAD_USER_INPUT' })
  const source = { file: 'models/a.yaml', line: 3, column: 5 }
  const { uuid } = await apply(source)
  const list = await applyChangeList(context, uuid)
  expect((await changesAt(list, [0])).get(0)).toMatchObject({ key: 'a', source })
})

it('more drift than an answer may have is refused before it is read', async () => {
  const context = domain()
  await applyAll(context, sources('a', 'b'))
  await updateRecord(context, 'dataSources', 'a', { description: 'ä'.repeat(500) }, [])
  const list = (bytes: number) => driftList({ ...context, budget: new AnswerBudget(bytes) })
  await expect(list(1_000)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
  expect((await list(2_000)).outline.size).toBe(1)
})

it('drift is what the last apply left, and what there is now', async () => {
  const context = domain()
  await applyAll(context, sources('a', 'b'))
  expect((await driftList(context)).outline.size).toBe(0)
  await updateRecord({ ...context, actorName: 'grace' }, 'dataSources', 'b', { name: 'Mine' }, [])
  const list = await driftList(context)
  expect(list.outline.size).toBe(1)
  expect((await changesAt(list, [0])).get(0)).toMatchObject({
    key: 'b',
    action: 'update',
    before: { name: 'Source b' },
    after: { name: 'Mine' },
    drift: { actor: 'grace' },
  })
})
