import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { WaitingLine } from '../../src/db/postgres/turns.ts'

const LIMITS = {
  mostOfOne: 2,
  mostOfAll: 3,
  mostWaiting: 2,
  patienceMs: 1_000,
  meanwhile: 'the model is being changed',
}

let line: WaitingLine
let running: string[]
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  line = new WaitingLine(LIMITS)
  running = []
})
afterEach(() => void vi.useRealTimers())

/** Work that goes on until it is ended. */
function begin(kind: number, name: string) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const done = line.run(kind, async () => {
    running.push(name)
    await promise
  })
  return { done, end: () => (resolve(), done) }
}

it('lets so many of each kind and so many of all run at once, in their order', async () => {
  const [a, , c] = ['a', 'b', 'c'].map((name) => begin(1, name))
  const [d, e] = ['d', 'e'].map((name) => begin(2, name))
  expect(running).toStrictEqual(['a', 'b', 'd'])
  await a?.end()
  expect(running).toStrictEqual(['a', 'b', 'd', 'c'])
  await c?.end()
  expect(running).toStrictEqual(['a', 'b', 'd', 'c', 'e'])
  await Promise.all([d?.end(), e?.end()])
  expect(line.waiting).toBe(0)
})

function refusal(why: string) {
  return { code: 'UNAVAILABLE', message: expect.stringContaining(why) as string }
}

it('refuses at once whoever finds too many in line, and later whoever has waited for too long', async () => {
  const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'].map((name) => begin(1, name))
  await expect(e?.done).rejects.toMatchObject(refusal('being changed, and too many wait already; nothing was changed'))
  const late = Promise.allSettled([c?.done, d?.done])
  vi.advanceTimersByTime(LIMITS.patienceMs)
  await late
  await expect(c?.done).rejects.toMatchObject(refusal('takes longer than usual'))
  await expect(d?.done).rejects.toMatchObject(refusal('try again in a moment'))
  await Promise.all([a?.end(), b?.end()])
  await begin(1, 'f').end()
  expect(running).toStrictEqual(['a', 'b', 'f'])
})
