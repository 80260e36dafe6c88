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

test('who is known goes first, and strangers leave a place to all others', async () => {
  const semaphore = new Semaphore(2, 1)
  const log: string[] = []
  const gate = Promise.withResolvers<void>()
  const work = (name: string, rank: 'known' | 'own' | 'stranger') =>
    semaphore.run(async () => {
      log.push(name)
      await gate.promise
    }, rank)
  const first = [work('stranger 1', 'stranger'), work('stranger 2', 'stranger'), work('own 1', 'own')]
  expect(log).toStrictEqual(['stranger 1', 'own 1'])
  const then = [work('own 2', 'own'), work('known', 'known')]
  gate.resolve()
  await Promise.all([...first, ...then])
  expect(log).toStrictEqual(['stranger 1', 'own 1', 'known', 'own 2', 'stranger 2'])
})
