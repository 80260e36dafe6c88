import { parseArgs } from 'node:util'
import { startPostgres } from '../test/support/postgres-server.ts'
import { makeSubject, measure, type Case, type Taken } from './datapoints-subject.ts'
import { medians } from './measure.ts'
import { postgresStores } from './platform.ts'
import { familyProcessorTime } from './processes.ts'

// node bench/datapoints-familiar.ts [--runs 5] [--points 500000]. What it brings that batches are read where they lie,
// where they are written as ever (docs/decisions/0016): the same points are sent with a blank behind the first bracket, so
// that JSON.parse reads them. The two take turns, because they share the machine with others. Linux only.

const { values: options } = parseArgs({
  options: { runs: { type: 'string', default: '5' }, points: { type: 'string', default: '500000' } },
})
const points = Number(options.points)
const CASES: readonly Case[] = [
  { name: '1,000 a batch, 8 connections', batch: 1_000, connections: 8, points, series: 'few' },
  { name: '100 a batch, 32 connections', batch: 100, connections: 32, points: points / 2, series: 'few' },
]

const postgres = await startPostgres({ durable: true })
const ofDatabase = () => familyProcessorTime(postgres.pid)
const store = await postgresStores(postgres, ofDatabase).create()
try {
  const subject = await makeSubject(store, ofDatabase)
  try {
    for (const one of CASES) {
      const pair = [one, { ...one, isOddlyWritten: true }] as const
      for (const half of pair) await measure(subject, { ...half, points: half.points / 4 })
      const taken: [Taken[], Taken[]] = [[], []]
      for (let run = 0; run < Number(options.runs); run++)
        for (const [index, half] of pair.entries()) taken[index]?.push(await measure(subject, half))
      tell(`${one.name}, as ever`, medians(taken[0]))
      tell(`${one.name}, by JSON.parse`, medians(taken[1]))
    }
  } finally {
    await subject.server.stop()
  }
  await store.remove()
} finally {
  await postgres.stop()
}

function tell(what: string, { perSecond, server, database, p50, p99 }: Taken): void {
  const cpu = `${server.toFixed(2)} + ${database.toFixed(2)} µs of processor a point (server + database)`
  const times = `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`
  process.stdout.write(`${what.padEnd(48)} ${Math.round(perSecond / 1_000)} k/s, ${times}, ${cpu}\n`)
}
