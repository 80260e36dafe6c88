import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { startPostgres } from '../test/support/postgres-server.ts'
import { send, toHoldfast } from './datapoints-client.ts'
import { makeSubject, nextFrom } from './datapoints-subject.ts'
import { median } from './measure.ts'
import { postgresStores, startProgram, type Program } from './platform.ts'
import { familyProcessorTime, processorTime } from './processes.ts'
import { reportOf, type Row, type Turn } from './small-request-report.ts'

// npm run bench:small-request [-- --rounds 3]. What a device's own request of ten points costs the server that takes it, next
// to the least that a server of Node does. Linux only: it asks /proc.

const { values: options } = parseArgs({ options: { rounds: { type: 'string' } } })
const ROUNDS = Number(options.rounds ?? 9)
const POINTS = 10
const CONNECTIONS = 64
const REQUESTS = 6_000

const program = (name: string): string => new URL(name, import.meta.url).pathname

const postgres = await startPostgres({ durable: true })
try {
  const store = await postgresStores(postgres, () => 0).create()
  const { server, many: series } = await makeSubject(store, () => 0)
  const bare = await startProgram([program('./bare-server.ts')])
  const way = await startProgram([program('./way-server.ts')], store.env)
  const token = await server.token()
  const turn = async ({ url, pid }: Program): Promise<Turn> => {
    const used = () => ({ server: processorTime(pid), database: familyProcessorTime(postgres.pid) })
    const before = used()
    const load = { ...toHoldfast(url, token), series, batch: POINTS, connections: CONNECTIONS, from: nextFrom() }
    const { seconds } = await send({ ...load, points: REQUESTS * POINTS })
    const after = used()
    const each = (name: 'server' | 'database') => ((after[name] - before[name]) * 1_000) / REQUESTS
    return { perSecond: REQUESTS / seconds, server: each('server'), database: each('database') }
  }
  const subjects = [
    { what: '`node:http` that reads the body and answers 201', program: bare },
    { what: 'the way of a request: read, and neither checked nor stored', program: way },
    { what: 'the platform: checked and stored', program: server },
  ]
  for (const subject of subjects) await turn(subject.program)
  const turns = subjects.map((): Turn[] => [])
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [index, subject] of subjects.entries()) turns[index]!.push(await turn(subject.program))
  const rows = subjects.map(({ what }, index): Row => rowOf(what, turns[index] ?? [], turns[0] ?? []))
  const report = reportOf(rows, { rounds: ROUNDS, points: POINTS, connections: CONNECTIONS, series: series.length })
  process.stdout.write(report)
  if (options.rounds === undefined) writeFileSync(new URL('./small-request.md', import.meta.url), report)
  for (const one of [way, server, bare]) await one.stop()
  await store.remove()
} finally {
  await postgres.stop()
}

function rowOf(what: string, turns: readonly Turn[], bare: readonly Turn[]): Row {
  return {
    what,
    perSecond: median(turns.map(({ perSecond }) => perSecond)),
    server: median(turns.map(({ server }) => server)),
    times: median(turns.map(({ server }, round) => server / (bare[round]?.server ?? Number.NaN))),
    database: median(turns.map(({ database }) => database)),
  }
}
