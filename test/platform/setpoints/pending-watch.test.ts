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
  answer(...found: { system: string; component: string }[]): void
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
      looks.push({ systems, components, answer: (...found) => resolve(found), fail: () => reject(new Error('gone')) })
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

function waitFor(target: Parameters<PendingWatch['next']>[1], abort = new AbortController()) {
  const waiter = { isWoken: false, leave: () => abort.abort() }
  void watch.next(DOMAIN, target, abort.signal).then(() => (waiter.isWoken = true))
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
