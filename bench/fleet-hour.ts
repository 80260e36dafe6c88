import { send, toHoldfast } from './datapoints-client.ts'
import { finishFolding } from './fleet-clock.ts'
import type { Measured } from './fleet-goals.ts'
import type { Sizes } from './fleet-options.ts'
import { namesOf, openReader, type Reader } from './fleet-reads.ts'
import { loggedBytes, removeDeadRows, settled, storedBytes } from './fleet-stored.ts'
import { PER_SYSTEM, tell, type Fleet } from './fleet-subject.ts'
import { median, timed } from './measure.ts'
import { startServer, type Server } from './platform.ts'

// An hour of the fleet, one point of each series a minute: what it takes on disk and in the log, how it is read while
// more of it arrives, and how soon it is there again after a kill.

const FROM = Date.UTC(2026, 4, 4, 6)
const MINUTE = 60_000
const ROUNDS = 60
const FRESH_ROUNDS = 6
const FRESH_SECONDS = 10
/** While it is read. The fleet's own pace would be a sixth of it. */
const SECONDS_A_ROUND = 10
const PAUSE_MS = 20

export async function measureHour(fleet: Fleet, { hourSeries, isQuick, patience }: Sizes): Promise<Measured> {
  const { database, site } = fleet
  const series = await site.add(hourSeries, PER_SYSTEM)
  await database.script('checkpoint')
  const logged = await loggedBytes(database)
  const perPoint = (bytes: number, rounds: number) => bytes / (series.length * rounds)

  await sendRounds(fleet.server, series, 0, FRESH_ROUNDS)
  await new Promise((resolve) => setTimeout(resolve, FRESH_SECONDS * 1_000))
  const freshBytes = perPoint(await storedBytes(database), FRESH_ROUNDS)
  await sendRounds(fleet.server, series, FRESH_ROUNDS, ROUNDS - FRESH_ROUNDS)

  const { server, seconds } = await startAfterKill(fleet, series)
  try {
    const isSettled = await settled(database, patience)
    if (!isSettled) tell('  folding was not done when patience ended')
    const logBytes = perPoint((await loggedBytes(database)) - logged, ROUNDS)
    tell(`  on disk with dead rows: ${perPoint(await storedBytes(database), ROUNDS).toFixed(1)} bytes a point`)
    await removeDeadRows(database)
    const hourBytes = perPoint(await storedBytes(database), ROUNDS)
    const reads = await readWhileSending(server, series, isQuick ? 10 : 40)
    await server.stop()
    await finishFolding(database)
    await removeDeadRows(database)
    const sent = ROUNDS + reads.rounds
    const mergedBytes = perPoint(await storedBytes(database), sent)
    return {
      freshBytes,
      hourBytes,
      mergedBytes,
      logBytes,
      latest: reads.latest,
      lastHour: reads.lastHour,
      ready: seconds,
    }
  } finally {
    await server.stop()
  }
}

async function sendRounds(
  { url, token }: Pick<Server, 'url' | 'token'>,
  series: readonly string[],
  begin: number,
  rounds: number,
  perSecond?: number,
): Promise<void> {
  await send({
    ...toHoldfast(url, await token()),
    series,
    batch: 1_000,
    connections: 8,
    points: series.length * rounds,
    from: FROM + begin * MINUTE,
    step: MINUTE,
    ...(perSecond !== undefined && { perSecond }),
  })
}

/** Kills the server while it folds, and takes the time until another one gives out the last value of each series. */
async function startAfterKill(
  { server: killed, store }: Fleet,
  series: readonly string[],
): Promise<{ readonly server: Server; readonly seconds: number }> {
  const begin = performance.now()
  process.kill(killed.pid, 'SIGKILL')
  const server = await startServer(store)
  const reader = await openReader(server)
  const answer = await reader.latest(namesOf(series[0] ?? '').system_uuid)
  const last = new Date(FROM + (ROUNDS - 1) * MINUTE).toISOString().slice(0, 19)
  if (answer.split(last).length - 1 !== Math.min(PER_SYSTEM, series.length))
    throw new Error(`points are missing after the kill: ${answer.slice(0, 500)}`)
  return { server, seconds: (performance.now() - begin) / 1_000 }
}

interface WhileSending {
  readonly latest: number
  readonly lastHour: number
  readonly rounds: number
}

async function readWhileSending(server: Server, series: readonly string[], seconds: number): Promise<WhileSending> {
  const rounds = Math.ceil(seconds / SECONDS_A_ROUND)
  const reader = await openReader(server)
  const sent = new AbortController()
  const sending = sendRounds(server, series, ROUNDS, rounds, series.length / SECONDS_A_ROUND)
  const ended = sending.finally(() => sent.abort())
  const times = await readUntil(sent.signal, reader, series)
  await ended
  const sorted = times.lastHour.toSorted((a, b) => a - b)
  const p95 = sorted[Math.floor((sorted.length - 1) * 0.95)] ?? Number.NaN
  return { latest: median(times.latest), lastHour: p95, rounds }
}

/** Milliseconds of each question, about one series after the other. */
async function readUntil(end: AbortSignal, reader: Reader, series: readonly string[]) {
  const [latest, lastHour]: [number[], number[]] = [[], []]
  const range = { from: isoOf(FROM), to: isoOf(FROM + ROUNDS * MINUTE), first: '1000' }
  for (let turn = 0; !end.aborted; turn++) {
    const one = namesOf(series[(turn * 7_919) % series.length] ?? '')
    latest.push(await timed(() => reader.latest(one.system_uuid)))
    lastHour.push(await timed(() => reader.points(one, range)))
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  return { latest, lastHour }
}

function isoOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
