import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Database } from '../../../src/db/sql.ts'
import { ChangeSignals } from '../../../src/platform/change-signals.ts'
import { PendingWatch } from '../../../src/platform/setpoints/pending-watch.ts'

// With a database that answers when the test says so: what happens while it is being asked is what matters here.

const DOMAIN = 7
const [HOME, OTHER, PUMP] = ['home', 'other', 'pump']
const ofSystem = (system: string) => ({ system, components: null, units: null })

interface Look {
  readonly systems: readonly string[]
  readonly components: readonly string[]
  answer(...found: { system: string; component: string; pending?: string }[]): void
  fail(): void
}

let looks: Look[]
let changes: ChangeSignals
let watch: PendingWatch
let isEnding: boolean

beforeEach(() => {
  vi.useFakeTimers()
  looks = []
  isEnding = false
  changes = new ChangeSignals()
  const rows = (_: object, __: string, [, systems, components]: [number, string[], string[]]) =>
    new Promise((resolve, reject) => {
      looks.push({
        systems,
        components,
        answer: (...found) => resolve(found.map((one) => ({ pending: 'a', ...one }))),
        fail: () => reject(new Error('gone')),
      })
    })
  watch = new PendingWatch({ database: { rows } as unknown as Database, changes, isEnding: () => isEnding })
})
afterEach(() => {
  const left = vi.getTimerCount()
  vi.useRealTimers()
  if (left > 0) throw new Error(`${left} timers are left`)
})

/** Lets everything happen that waits for no time and no database. */
const settle = () => vi.advanceTimersByTimeAsync(0)
const second = () => vi.advanceTimersByTimeAsync(1_000)

interface TestWaiter {
  isWoken: boolean
  pending: string | undefined
  leave(): void
}

function waitFor(target: Parameters<PendingWatch['next']>[1], abort = new AbortController(), leftOut?: string) {
  const waiter: TestWaiter = { isWoken: false, pending: undefined, leave: () => abort.abort() }
  const woken = watch.next(DOMAIN, target, abort.signal, leftOut)
  void woken.then((pending) => Object.assign(waiter, { isWoken: true, pending }))
  return waiter
}

it('looks once a second for all who wait, and wakes those who are meant', async () => {
  const [home, other, pump] = [
    waitFor(ofSystem(HOME)),
    waitFor(ofSystem(OTHER)),
    waitFor({ system: null, components: [PUMP], units: null }),
  ]
  await settle()
  expect(looks).toHaveLength(0)
  await second()
  expect(looks).toMatchObject([{ systems: [HOME, OTHER], components: [PUMP] }])
  looks[0]?.answer({ system: HOME, component: 'boiler' })
  await settle()
  expect([home.isWoken, other.isWoken, pump.isWoken]).toEqual([true, false, false])
  await second()
  looks[1]?.answer({ system: 'third', component: PUMP })
  await settle()
  expect([other.isWoken, pump.isWoken]).toEqual([false, true])
  other.leave()
  await second()
})

it('looks at once after a signal, also one that comes while it looks', async () => {
  const home = waitFor(ofSystem(HOME))
  changes.signal(DOMAIN, 'setpoints')
  await settle()
  expect(looks).toHaveLength(1)
  changes.signal(DOMAIN, 'setpoints')
  looks[0]?.answer()
  await settle()
  expect(looks).toHaveLength(2)
  looks[1]?.answer({ system: HOME, component: PUMP })
  await settle()
  expect(home.isWoken).toBe(true)
})

it('wakes everybody where the database does not answer, and where the process ends', async () => {
  const home = waitFor(ofSystem(HOME))
  await second()
  looks[0]?.fail()
  await settle()
  expect(home.isWoken).toBe(true)
  const other = waitFor(ofSystem(OTHER))
  isEnding = true
  await second()
  expect(other.isWoken).toBe(true)
  expect(looks).toHaveLength(1)
})

it('wakes for the same setpoints that were left out only after half a minute, and for others at once', async () => {
  const pending = (...texts: string[]) =>
    looks.at(-1)?.answer(...texts.map((text, index) => ({ system: HOME, component: String(index), pending: text })))
  const first = waitFor(ofSystem(HOME))
  await second()
  pending('a', 'b')
  await settle()
  expect(first.isWoken).toBe(true)
  // The device could carry none of them out.
  const again = waitFor(ofSystem(HOME), undefined, first.pending)
  for (let turn = 1; turn < 30; turn += 1) {
    await second()
    pending('a', 'b')
  }
  await settle()
  expect(again.isWoken).toBe(false)
  await second()
  pending('a', 'b')
  await settle()
  expect(again).toMatchObject({ isWoken: true, pending: first.pending })
  const last = waitFor(ofSystem(HOME), undefined, again.pending)
  await second()
  pending('a', 'c')
  await settle()
  expect(last.isWoken).toBe(true)
})

it('looks at most twice a second, however many signals there are', async () => {
  const home = waitFor(ofSystem(HOME))
  for (let turn = 0; turn < 95; turn += 1) {
    changes.signal(DOMAIN, 'setpoints')
    await vi.advanceTimersByTimeAsync(10)
    looks.at(-1)?.answer()
  }
  expect(looks).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(100)
  looks.at(-1)?.answer()
  expect(looks.length).toBeGreaterThan(2)
  home.leave()
  await second()
})

it('asks once for what several wait for', async () => {
  const ofPumps = { system: null, components: [PUMP, 'valve'], units: null }
  const all = [waitFor(ofPumps), waitFor(ofPumps), waitFor(ofSystem(HOME)), waitFor(ofSystem(HOME))]
  await second()
  expect(looks).toMatchObject([{ systems: [HOME], components: [PUMP, 'valve'] }])
  looks[0]?.answer({ system: HOME, component: PUMP })
  await settle()
  expect(all.map(({ isWoken }) => isWoken)).toEqual([true, true, true, true])
})

it('asks nothing for those who have left', async () => {
  const gone = waitFor(ofSystem(HOME))
  gone.leave()
  await second()
  expect(gone.isWoken).toBe(true)
  expect(looks).toHaveLength(0)
  const late = waitFor(ofSystem(HOME), aborted())
  await settle()
  expect(late.isWoken).toBe(true)
})

function aborted(): AbortController {
  const controller = new AbortController()
  controller.abort()
  return controller
}
