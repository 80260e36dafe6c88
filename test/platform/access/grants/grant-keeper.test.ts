import { expect, it } from 'vitest'
import type { Database } from '../../../../src/db/sql.ts'
import { GrantKeeper } from '../../../../src/platform/access/grants/grant-keeper.ts'

/** A domain in which each organization has nearly a million units. It notes the organizations that are read. */
function hugeDomain(read: string[]): Database {
  const units = Array.from({ length: 900_000 }, () => ({ uuid: 'unit' }))
  const rows = (_: object, text: string, values: readonly unknown[]) => {
    if (!text.includes('select distinct unit.uuid')) return Promise.resolve([])
    read.push(...[values[2]].flat().map(String))
    return Promise.resolve(units)
  }
  const sql = { rows, setLocal: () => Promise.resolve() }
  return { read: (work: (handle: object) => Promise<unknown>) => work(sql) } as unknown as Database
}

it('keeps the units of the organizations that were asked for last, as far as they fit', async () => {
  const read: string[] = []
  const grants = new GrantKeeper(hugeDomain(read))
  const ask = (name: string) => grants.unitsWithin(1, 0, [name])
  for (const name of ['one', 'two', 'two', 'three', 'three']) expect(await ask(name)).toHaveLength(900_000)
  expect(read).toStrictEqual(['one', 'two', 'three'])
  expect(await Promise.all([ask('one'), ask('one')])).toHaveLength(2)
  expect(read).toStrictEqual(['one', 'two', 'three', 'one'])
})
