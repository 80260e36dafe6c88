import { expect, it } from 'vitest'
import { addPoints, isStale } from '../../src/console/assets/analyse/arriving.js'
import { unfolded } from '../../src/console/assets/analyse/data.js'
import { DAY, HOUR, makeHouse, MINUTE, type House, type HouseCode } from '../support/analyse-house.ts'
import { OPERATOR } from '../support/console-server.ts'
import { consoleVisitor } from '../support/console-visitor.ts'
import { isLong } from '../support/runs.ts'
import { server, useConsole } from '../support/one-console.ts'

// A page that is open shows at each moment what a reload would show: the modules of the browser are given what the stream
// brings, and are compared with what the platform reads.

/** Two nights in which clocks change lie in the year before. */
let clock = Date.parse('2026-11-03T10:00:00.250Z')
useConsole({ now: () => new Date(clock) })

interface Series {
  readonly id: string
  readonly form: string
  readonly [field: string]: unknown
}

interface Data {
  readonly from: number
  readonly to: number
  readonly series: readonly Series[]
}

const CODES = ['power', 'flow', 'target', 'lock'] as const
const YEAR = 365 * DAY

async function read(house: House, window: string): Promise<Data> {
  const visitor = await consoleVisitor(server, OPERATOR)
  const { status, text } = await visitor.get(`${house.path(...CODES).replace('?', '/data?')}&states=below&${window}`)
  expect([status, text.slice(0, 200)]).toStrictEqual([200, text.slice(0, 200)])
  return unfolded(JSON.parse(text)) as Data
}

const SHOWN = [
  'id',
  'form',
  'at',
  'values',
  'isHeld',
  'min',
  'max',
  'counts',
  'mean',
  'whole',
  'gaps',
  'runs',
  'bounds',
]

/** Computed numbers have as many digits as are shown. */
function shown({ from, to, series }: Data): object {
  const text = JSON.stringify({
    from,
    to,
    series: series.map((one) => SHOWN.map((field) => [field, one[field] ?? null])),
  })
  return JSON.parse(text, rounded) as object
}

function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(6)) : value
}

function random(seed: number): () => number {
  let state = seed
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
}

function valueOf(code: HouseCode, chance: number): number | boolean {
  if (code === 'lock') return chance < 0.5
  return code === 'power' ? Math.round(chance * 5_000) - 1_000 : Math.round(chance * 400) / 10 + 10
}

const WINDOWS = [
  ['window=15m', 15 * MINUTE, 40],
  ['window=15m', 15 * MINUTE, 2_400],
  ['window=1h', HOUR, 400],
  ['window=1y', YEAR, 300],
  ['window=1y', YEAR, 2_600],
  ['from', 1_000, 5],
] as const

const CASES = WINDOWS.flatMap((one, index) =>
  // In `npm test`, late points come into every other window.
  (isLong ? [false, true] : [index % 2 === 0]).map((isLate) => [...one, isLate, index + 1] as const),
)

it.each(CASES)(
  '%s of %d ms with %d points, late ones: %s',
  { timeout: 180_000 },
  async (name, span, count, isLate, seed) => {
    const [house, chance] = [await makeHouse(server.context), random(seed * 7_919)]
    // The boundaries hold from the moment of the apply.
    clock += 1_000
    const points = (most: number, begin: number) =>
      CODES.flatMap((code) =>
        Array.from({ length: code === 'power' || code === 'flow' ? most : Math.ceil(most / 20) }, () => ({
          code,
          at: Math.floor(begin + chance() * (clock - begin)),
          value: valueOf(code, chance()),
        })),
      ).toSorted((one, other) => one.at - other.at)
    const send = (sent: ReturnType<typeof points>) =>
      house.send(sent.map(({ code, at, value }) => house.point(code, value, at)))
    await send(points(count, clock - span * 1.2))
    const window = name === 'from' ? `from=${new Date(clock - span).toISOString()}` : name
    let data = await read(house, window)
    let stale = 0
    const computed: object[] = []
    const reloaded: object[] = []
    for (let step = 0; step < 6; step += 1) {
      const before = clock
      clock += Math.floor(chance() * Math.max(2_500, Math.min(span / 10, 20 * MINUTE)))
      const sent = points(1 + Math.floor(chance() * 6), isLate ? before - span / 3 : before)
      await send(sent)
      addPoints(
        data,
        sent.map(({ code, at, value }) => [house.show(code), at, value]),
        clock,
      )
      const again = await read(house, window)
      if (isStale(data)) {
        // Another form is chosen by the number of points in the window.
        const forms = [data, again].map((one) => one.series.map(({ form }) => form).join(' '))
        if (forms[0] === forms[1]) stale += 1
        data = again
      }
      computed.push(shown(data))
      reloaded.push(shown(again))
    }
    expect(computed).toStrictEqual(reloaded)
    expect(isLate || stale === 0).toBe(true)
  },
)
