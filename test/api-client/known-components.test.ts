import { expect, it } from 'vitest'
import { KnownComponents } from '../../src/api-client/known-components.ts'

const name = (index: number): string => `component ${index}`
const names = (count: number): string[] => Array.from({ length: count }, (_, index) => name(index))
const seriesOf = (uuids: readonly string[], path = 'a/b') => uuids.map((component) => ({ component, path }))

/** Knows all components, with one path. */
function watched() {
  const asked: number[] = []
  const known = new KnownComponents((uuids) => {
    asked.push(uuids.length)
    const support = { service: 'a', serviceUuid: 'a', characteristic: 'b', characteristicUuid: 'b' }
    return Promise.resolve(uuids.map((uuid) => ({ uuid, systemUuid: 'a', componentModel: 'b', supports: [support] })))
  })
  return { asked, known }
}

it('remembers ten thousand components, and looks up a thousand at once', async () => {
  const { asked, known } = watched()
  const all = names(10_001)
  expect((await known.supports(seriesOf(all))).map(({ component }) => component.uuid)).toStrictEqual(all)
  expect(asked).toStrictEqual([...Array.from({ length: 10 }, () => 1_000), 1])
  await known.supports(seriesOf([name(10_000), name(1)]))
  expect(asked).toHaveLength(11)
  await known.one(name(0))
  expect(asked.slice(11)).toStrictEqual([1])
})

it('looks known components up again together if paths are missing', async () => {
  const { asked, known } = watched()
  await known.supports(seriesOf(names(2_000)))
  const missing = known.supports([...seriesOf(names(2_000)), ...seriesOf(names(1_500), 'a/c')])
  await expect(missing).rejects.toThrow('the component component 0 has no path "a/c"; its paths are: a/b')
  expect(asked).toStrictEqual([1_000, 1_000, 1_000, 500])
})

it('asks again after a failure, and about a component that there was not', async () => {
  const answers = [Promise.reject(new Error('away')), Promise.resolve([]), Promise.resolve([])]
  const known = new KnownComponents(() => answers.shift() ?? Promise.reject(new Error('too often')))
  await expect(known.one(name(1))).rejects.toThrow('away')
  await expect(known.one(name(1))).rejects.toThrow('there is no component')
  await expect(known.one(name(1))).rejects.toThrow('there is no component')
})
