import { expect, test } from 'vitest'
import { Semaphore } from '../../src/platform/semaphore.ts'

test('so many run at once, the others in the order in which they came, and a failure frees its place', async () => {
  const semaphore = new Semaphore(2)
  const [log, gates] = [[] as string[], new Map<string, PromiseWithResolvers<void>>()]
  const work = (name: string) =>
    semaphore.run(async () => {
      log.push(name)
      const gate = Promise.withResolvers<void>()
      gates.set(name, gate)
      await gate.promise
    })
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(work)
  expect([log, semaphore.waiting]).toStrictEqual([['a', 'b'], 2])
  gates.get('b')?.resolve()
  await b
  expect([log, semaphore.waiting]).toStrictEqual([['a', 'b', 'c'], 1])
  gates.get('a')?.reject(new Error('a failed'))
  await expect(a).rejects.toThrow('a failed')
  expect([log, semaphore.waiting]).toStrictEqual([['a', 'b', 'c', 'd'], 0])
  gates.get('c')?.resolve()
  gates.get('d')?.resolve()
  await Promise.all([c, d])
  const e = work('e')
  gates.get('e')?.resolve()
  await e
  expect(log).toStrictEqual(['a', 'b', 'c', 'd', 'e'])
})
