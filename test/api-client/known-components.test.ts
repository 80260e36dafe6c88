import { expect, it } from 'vitest'
import { KnownComponents } from '../../src/api-client/known-components.ts'

const name = (index: number): string => `component ${index}`

it('remembers ten thousand components, and looks up a thousand at once', async () => {
  const asked: (readonly string[])[] = []
  const known = new KnownComponents((uuids) => {
    asked.push(uuids)
    return Promise.resolve(uuids.map((uuid) => ({ uuid, systemUuid: 'a', componentModel: 'b', supports: [] })))
  })
  const all = Array.from({ length: 10_001 }, (_, index) => name(index))
  expect((await known.all(all)).map(({ uuid }) => uuid)).toStrictEqual(all)
  expect(asked.map(({ length }) => length)).toStrictEqual([...Array.from({ length: 10 }, () => 1_000), 1])
  await known.all([name(10_000), name(1)])
  expect(asked).toHaveLength(11)
  await known.all([name(0)])
  expect(asked.at(-1)).toStrictEqual([name(0)])
})

it('asks again after a failure, and about a component that there was not', async () => {
  const answers = [Promise.reject(new Error('away')), Promise.resolve([]), Promise.resolve([])]
  const known = new KnownComponents(() => answers.shift() ?? Promise.reject(new Error('too often')))
  await expect(known.all([name(1)])).rejects.toThrow('away')
  await expect(known.all([name(1)])).rejects.toThrow('there is no component')
  await expect(known.all([name(1)])).rejects.toThrow('there is no component')
})
