import { startPostgres } from '../test/support/postgres-server.ts'
import { send, toHoldfast } from './load.ts'
import { familyProcessorTime, median, processorTime, takeTurns, tell } from './measure.ts'
import { hundredths, ON_POSTGRES, whole, type Options, type Report } from './report.ts'
import { nextFrom } from './sending.ts'
import { openSite, postgresStore, startProgram, startServer, type Program } from './server.ts'

// npm run bench:small-request: what a device's own request of ten points costs the server that takes it, next to the least
// that a server of Node does.

const POINTS = 10
const CONNECTIONS = 64

const SERVERS = new URL('./small-request-servers.ts', import.meta.url).pathname

/** What one server took in one round. */
interface Turn {
  readonly perSecond: number
  /** Microseconds of processor time for a request. */
  readonly server: number
  readonly database: number
}

export async function bench({ size }: Options): Promise<Report> {
  const { rounds, requests, count } =
    size === 'quick' ? { rounds: 1, requests: 200, count: 100 } : { rounds: 9, requests: 6_000, count: 10_000 }
  const postgres = await startPostgres({ durable: true })
  const store = await postgresStore(postgres)
  const server = await startServer(store)
  const database = await store.open()
  const series = await (await openSite(database)).add(count)
  await database.close()
  const token = await server.token()
  const bare = await startProgram([SERVERS, 'bare'])
  const way = await startProgram([SERVERS, 'way'], store.env)

  const measureTurn = async ({ url, pid }: Program): Promise<Turn> => {
    const before = { server: processorTime(pid), database: familyProcessorTime(postgres.pid) }
    const load = { series, batch: POINTS, connections: CONNECTIONS, points: requests * POINTS, from: nextFrom() }
    const { seconds } = await send({ ...toHoldfast(url, token), ...load })
    const micros = (milliseconds: number) => (milliseconds * 1_000) / requests
    return {
      perSecond: requests / seconds,
      server: micros(processorTime(pid) - before.server),
      database: micros(familyProcessorTime(postgres.pid) - before.database),
    }
  }
  const subjects: readonly [what: string, program: Program][] = [
    ['`node:http` that reads the body and answers 201', bare],
    ['the way of a request: read, and neither checked nor stored', way],
    ['the platform: checked and stored', server],
  ]
  tell('three servers take turns …')
  const all = await takeTurns(
    rounds + 1,
    subjects.map(
      ([, program]) =>
        () =>
          measureTurn(program),
    ),
  )
  // The first round warms up.
  const turns = all.map((own) => own.slice(1))
  for (const program of [way, server, bare]) await program.stop()
  await postgres.stop()
  return {
    title: 'A small request',
    about: `${ON_POSTGRES}

A device's own request: ${POINTS} points as JSON with a bearer token, \`POST /rest/v1/data-points/add\`, over ${CONNECTIONS} connections that stay open, for ${whole(count)} series. Client, servers and database share the machine. The servers take turns, in ${rounds} rounds: the medians of the rounds, and how many times as much as the first in the same round.`,
    blocks: [
      {
        columns: [
          'what',
          'CPU of the server, µs a request',
          'times the first',
          'requests a second',
          'CPU of the database, µs',
        ],
        rows: subjects.map(([what], index) => {
          const own = turns[index] ?? []
          const of = (figure: keyof Turn) => median(own.map((turn) => turn[figure]))
          const times = median(own.map((turn, round) => turn.server / turns[0]![round]!.server))
          return [what, whole(of('server')), hundredths(times), whole(of('perSecond')), whole(of('database'))]
        }),
      },
    ],
  }
}
