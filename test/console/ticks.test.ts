import { expect, it } from 'vitest'
import { clockOf } from '../../src/console/assets/analyse/format.js'
import { ticksOf } from '../../src/console/assets/analyse/ticks.js'
import { SPANS } from '../../src/console/pages/systems/analyse/span.ts'

const MINUTE = 60_000
const BEGIN = Date.parse('2026-01-01T00:00:00Z')

it.each(SPANS)('an axis of $label has two marks at least, however narrow it is and whenever it ends', ({ ms }) => {
  for (const zone of ['UTC', 'America/St_Johns', 'Europe/Berlin']) {
    const clock = clockOf(zone)
    for (let moment = 0; moment < 200; moment++) {
      const to = BEGIN + moment * (1_777 * MINUTE + 13_001)
      const { length } = ticksOf({ from: to - ms, to }, 2, clock)
      expect([zone, to, length > 1, length < 5]).toStrictEqual([zone, to, true, true])
    }
  }
})
