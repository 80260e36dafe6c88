// Places the marks of the time axis at round times of the shown zone.

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const STEPS = [
  100,
  500,
  ...[1, 5, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 3, 5, 7, 14].map((count) => count * DAY),
]

/** The times and labels of the marks: about `most`, and at least two. */
export function ticksOf(window, most, clock) {
  const ticks = ticksFor(window, most, clock)
  return ticks.length > 1 ? ticks : ticksOf(window, most * 1.5, clock)
}

function ticksFor({ from, to }, most, clock) {
  const step = STEPS.find((one) => (to - from) / one <= most)
  const times = step === undefined ? months(from, to, most, clock) : rounds(from, to, step, clock)
  return times.map((at) => ({ at, ...labelOf(at, step, clock) }))
}

function rounds(from, to, step, clock) {
  const times = []
  for (let at = roundAfter(from - 1, step, clock); at <= to; at = roundAfter(at, step, clock)) times.push(at)
  return times
}

/** The next round time. It follows the changes of the zone's offset. */
export function roundAfter(at, step, clock) {
  const beyond = (time) => (((time + clock.offset(time)) % step) + step) % step
  const next = at + step - beyond(at)
  const rest = beyond(next)
  if (rest === 0) return next
  const before = next - rest
  return before > at && beyond(before) === 0 ? before : next + step - rest
}

function months(from, to, most, clock) {
  const first = new Date(from + clock.offset(from))
  const count = Math.ceil((to - from) / (30 * DAY))
  const every = [1, 2, 3, 6, 12, 24, 60].find((one) => count / one <= most) ?? 120
  const times = []
  for (let month = 0; month <= count + every; month += every) {
    const local = Date.UTC(first.getUTCFullYear(), Math.floor(first.getUTCMonth() / every) * every + month, 1)
    const at = local - clock.offset(local)
    if (at >= from && at <= to) times.push(at)
  }
  return times
}

function labelOf(at, step, clock) {
  const isMidnight = (at + clock.offset(at)) % DAY === 0
  if (step === undefined) {
    const isJanuary = clock.month(at) === 'Jan'
    return { text: isJanuary ? clock.year(at) : clock.month(at), isStrong: isJanuary }
  }
  if (step >= DAY) return { text: clock.day(at), isStrong: false }
  if (isMidnight) return { text: clock.day(at), isStrong: true }
  if (step < SECOND) return { text: `${clock.seconds(at)}.${Math.floor((at % SECOND) / 100)}`, isStrong: false }
  return { text: step < MINUTE ? clock.seconds(at) : clock.minutes(at), isStrong: false }
}
