import { expect, it } from 'vitest'
import { changesAt, findChanges, type ChangeList } from '../../../src/platform/imports/history/change-list.ts'
import { packedChangeList } from '../../../src/platform/imports/planning/packed-plan.ts'
import { packChanges, type ApplyChangeRow } from '../../../src/store/model/apply-changes.ts'
import type { RecordBody, RecordTypeName } from '../../../src/records/record-type.ts'

const MANY = 4_500

function change(
  type: RecordTypeName,
  key: string,
  action: string,
  before: RecordBody | null,
  after: RecordBody | null,
): ApplyChangeRow {
  return { type, key, uuid: crypto.randomUUID(), from: null, action, cause: 'you', before, after }
}

function key(number: number): string {
  return `s${String(number).padStart(6, '0')}`
}

/** Most services change alike; each hundredth gets a name of its own, and the last one is deleted. */
function changes(): ApplyChangeRow[] {
  const services = Array.from({ length: MANY }, (_, number) => {
    const before = { code: key(number), name: 'Old', status: 'ACTIVATED' }
    if (number === MANY - 1) return change('services', key(number), 'delete', { ...before, name: 'Last' }, null)
    const name = number % 100 === 0 ? `New ${number}` : 'New'
    return change('services', key(number), 'update', before, { ...before, name })
  })
  return [change('characteristics', 'power', 'create', null, { code: 'power', name: 'Power' }), ...services]
}

const ALIKE = MANY - 1 - MANY / 100

/** The list, and which parts are read of it. */
async function watchedList(): Promise<{ list: ChangeList; read: number[] }> {
  const list = await packedChangeList(await packChanges(changes()))
  const read: number[] = []
  const fetch: ChangeList['fetch'] = (parts) => {
    read.push(...(parts ?? list.outline.parts.keys()))
    return list.fetch(parts)
  }
  return { read, list: { ...list, fetch } }
}

it('the outline puts deletes first and folds what reads the same', async () => {
  const { list } = await watchedList()
  const [deletes, characteristics, services] = list.outline.sections
  expect(deletes).toStrictEqual({ name: 'delete', counts: { delete: 1 }, rows: [{ index: MANY, count: 1 }], more: 0 })
  expect(characteristics).toMatchObject({ name: 'characteristics', counts: { create: 1 }, more: 0 })
  expect(services).toMatchObject({ name: 'services', counts: { update: MANY - 1 } })
  expect(services?.rows.filter(({ count }) => count > 1)).toStrictEqual([{ index: 2, count: ALIKE }])
  const shown = (services?.rows ?? []).reduce((sum, { count }) => sum + count, 0)
  expect(shown + (services?.more ?? 0)).toBe(MANY - 1)
})

it('rows of the outline are read from their parts alone', async () => {
  const { list, read } = await watchedList()
  const found = await changesAt(list, [0, 3, 4_001])
  expect([...found.values()].map((one) => one.key)).toStrictEqual(['power', key(2), key(4_000)])
  expect(read).toStrictEqual([0, 4])
})

it('a page reads the part that it begins in, and says where the next one begins', async () => {
  const { list, read } = await watchedList()
  const page = await findChanges(list, { section: 'services', action: 'update', at: 4_400, first: 50 })
  expect(page).toMatchObject({ total: MANY - 1, next: 4_450 })
  expect(page.changes[0]).toMatchObject({ index: 4_400, key: key(4_399) })
  expect(read).toStrictEqual([4])
})

it.each([
  [key(MANY - 1), [key(MANY - 1)]],
  ['lASt', [key(MANY - 1)]],
  ['New 4400', [key(4_400)]],
  ['power', ['power']],
  ['"quoted"', []],
])('a search for %s finds it to the last part', async (search, keys) => {
  const { list } = await watchedList()
  const page = await findChanges(list, { search, at: 0, first: 50 })
  expect(page.changes.map((one) => one.key)).toStrictEqual(keys)
  expect(page).toMatchObject({ total: keys.length, next: null })
})

it('what reads like one change is found page by page', async () => {
  const { list } = await watchedList()
  const first = await findChanges(list, { alike: 2, at: 0, first: 50 })
  const last = await findChanges(list, { alike: 2, at: 4_480, first: 50 })
  expect([first.total, first.changes.length, last.next]).toStrictEqual([ALIKE, 50, null])
  expect(last.changes.at(-1)?.key).toBe(key(MANY - 2))
})

it('a place behind the end is none', async () => {
  const { list } = await watchedList()
  expect((await changesAt(list, [MANY + 1_000_000])).size).toBe(0)
  expect((await findChanges(list, { alike: 999_999, at: 0, first: 50 })).total).toBe(0)
})

it('unpacks one part after the other, so that a damaged last one fails the search alone', async () => {
  const { list } = await watchedList()
  const fetch: ChangeList['fetch'] = async (parts) => [...(await list.fetch(parts)).slice(0, -1), Uint8Array.of(1)]
  const search = findChanges({ ...list, fetch }, { search: 'new', at: 0, first: 1 })
  // Node ends a process for an error that nobody awaits.
  await expect(search).rejects.toThrow('unexpected end of file')
})
