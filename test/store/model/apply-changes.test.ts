import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { RecordBody } from '../../../src/records/record-type.ts'
import { packChanges, unpackChanges, type ApplyChangeRow } from '../../../src/store/model/apply-changes.ts'

function change(key: string, after: RecordBody | null): ApplyChangeRow {
  return {
    type: 'services',
    key,
    uuid: crypto.randomUUID(),
    from: null,
    action: 'create',
    cause: 'you',
    before: null,
    after,
  }
}

it.each([
  [0, 0],
  [1, 1],
  [1_000, 1],
  [1_001, 2],
  [4_001, 5],
])('%i changes are kept in %i parts, in their order', async (count, parts) => {
  const changes = Array.from({ length: count }, (_, number) => change(`s${number}`, { name: `Service ${number}` }))
  const packed = await packChanges(changes)
  expect(packed.parts).toHaveLength(parts)
  expect(await unpackChanges(packed.parts)).toStrictEqual(changes)
})

it('whatever JSON a body holds comes back as it was', async () => {
  const body = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ stringUnit: 'binary' }))
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), body, async (key, after) => {
      const written = JSON.parse(JSON.stringify([change(key, after as RecordBody)])) as ApplyChangeRow[]
      expect(await unpackChanges((await packChanges(written)).parts)).toStrictEqual(written)
    }),
  )
})
