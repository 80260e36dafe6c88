import { expect, it } from 'vitest'
import { clockOf, lengthText } from '../../src/console/assets/analyse/format.js'
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

it('an axis of a second has marks that differ, wherever it begins', () => {
  const clock = clockOf('Europe/Berlin')
  for (let ms = 0; ms < 3_000; ms += 37) {
    const texts = ticksOf({ from: BEGIN + ms, to: BEGIN + ms + 1_000 + (ms % 1_400) }, 2, clock).map(
      ({ text }: { text: string }) => text,
    )
    expect([ms, texts.length > 1, new Set(texts).size]).toStrictEqual([ms, true, texts.length])
  }
})

it('a length has no 60 of anything', () => {
  const lengths = [59_400, 59_700, 3_599_000, 7 * 3_600_000 - 20_000, 90 * MINUTE].map((ms) => lengthText(ms))
  expect(lengths).toStrictEqual(['59 s', '1 min', '1 h', '7 h', '1 h 30 min'])
})

/** Windows around the nights in which clocks change, by an hour or by half an hour. */
const CHANGES = [
  ['Europe/Berlin', '2026-10-25T01:00:00Z'],
  ['Europe/Berlin', '2026-03-29T01:00:00Z'],
  ['America/St_Johns', '2026-11-01T04:30:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T15:30:00Z'],
] as const

it.each(CHANGES)('no two marks say the same, and none is missing, when clocks change in %s at %s', (zone, moment) => {
  const [clock, change] = [clockOf(zone), Date.parse(moment)]
  for (const span of [10, 30, 60, 180, 1_440, 7 * 1_440].map((minutes) => minutes * MINUTE)) {
    for (const share of [0.1, 0.5, 0.9]) {
      const from = change - span * share
      const ticks: { at: number; text: string }[] = ticksOf({ from, to: from + span }, 8, clock)
      // A day has some times at both of its ends.
      const texts = span < 720 * MINUTE ? ticks.map(({ text }) => text) : []
      const gaps = ticks.slice(1).map(({ at }, index) => at - (ticks[index]?.at ?? 0))
      const [least, most] = [Math.min(...gaps), Math.max(...gaps)]
      // Round times are further apart, or nearer, by the hour that comes twice or never.
      expect({ zone, span, texts, isEven: most - least <= 120 * MINUTE }).toStrictEqual({
        zone,
        span,
        texts: [...new Set(texts)],
        isEven: true,
      })
    }
  }
})

it('says which of two equal times the crosshair is at', () => {
  const clock = clockOf('Europe/Berlin')
  const at = (text: string) => clock.minutes(Date.parse(text))
  expect([at('2026-10-25T00:41:00Z'), at('2026-10-25T01:41:00Z')]).toStrictEqual(['02:41 CEST', '02:41 CET'])
  expect([at('2026-10-24T23:59:00Z'), at('2026-10-25T02:00:00Z')]).toStrictEqual(['01:59', '03:00'])
})
