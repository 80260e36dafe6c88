import { readFileSync } from 'node:fs'
import { tenths, whole, type Report } from './report.ts'

// npm run bench:scale: what a cluster carries, simulated from measured unit costs. The simulation deals domains of different
// sizes to servers, and raises the load until a server or the database is full.

/** The fleet of docs/scale.md: a million devices with ten series each, and one point a minute of each series. */
const WANTED = (1_000_000 * 10) / 60
const DOMAINS = 1_000
const POINTS_A_REQUEST = 10
/** The cores of the machine that has the hot points: PostgreSQL, or the coordinator of Citus. A server process uses one. */
const CORES = 8
/** The share of its cores at which a process counts as full. Answers become slow beyond it. */
const FULL = 0.7
/** Seconds between two flushes of a server under load. A flush takes whatever arrived during the one before. */
const FLUSH_EVERY = 0.1
/** Domains are dealt to servers anew in each run. The middle run counts. */
const RUNS = 9

/** Seconds of one core. */
interface UnitCosts {
  readonly serverPoint: number
  readonly databasePoint: number
  readonly flush: number
  readonly domainInFlush: number
}

/** Measured by flushes of 1 to 200 domains on an otherwise idle database: on PostgreSQL, and on Citus 13.2 with two workers. */
const FLUSHES = {
  PostgreSQL: { flush: 0.8e-3, domainInFlush: 0.016e-3 },
  Citus: { flush: 1.8e-3, domainInFlush: 0.029e-3 },
} as const

/**
 * How a proxy chooses a server: any, one for each domain, or one for each domain unless that one has 1.25 times the mean
 * load (`hash-balance-factor` of HAProxy).
 */
const ROUTINGS = ['any', 'by domain', 'by domain, balanced'] as const
const BALANCE = 1.25

interface Cluster {
  readonly database: keyof typeof FLUSHES
  readonly servers: number
  readonly routing: (typeof ROUTINGS)[number]
}

export function bench(): Promise<Report> {
  const ofPoints = costsOfPoints(readFileSync(new URL('fleet.md', import.meta.url), 'utf8'))
  const clusters = (['PostgreSQL', 'Citus'] as const).flatMap((database) =>
    [2, 4, 8, 16, 32].flatMap((servers) => ROUTINGS.map((routing): Cluster => ({ database, servers, routing }))),
  )
  const found = clusters.map((cluster) => ({
    ...cluster,
    ...middleOf(cluster, { ...ofPoints, ...FLUSHES[cluster.database] }),
  }))
  const most = Math.max(...found.map(({ points }) => points))
  return Promise.resolve({
    title: 'Scale',
    isSimulated: true,
    about: `${whole(DOMAINS)} domains, whose sizes follow Zipf's law, send ${POINTS_A_REQUEST} points a request. The machine with the hot points (PostgreSQL, or the coordinator of Citus) has ${CORES} cores, and a server process uses one. A process is full at ${FULL * 100} % of its cores. The costs of a point are those of [fleets](fleet.md). The costs of a flush were measured by hand, on PostgreSQL and on Citus 13.2 with two workers. More workers do not change them, because hot points lie on the coordinator. Folding is not included. "× the fleet" compares with a million devices of [docs/scale.md](../docs/scale.md): ${whole(WANTED)} points a second.`,
    blocks: [
      {
        columns: ['database', 'server processes', 'server chosen', 'points a second', '× the fleet', 'full first', ''],
        rows: found.map(({ database, servers, routing, points, first }) => [
          database,
          String(servers),
          routing,
          whole(points),
          tenths(points / WANTED),
          first,
          '█'.repeat(Math.max(1, Math.round((points / most) * 30))),
        ]),
      },
    ],
  })
}

/** The costs of a point that comes with nine others, from the report on fleets. */
function costsOfPoints(report: string): Pick<UnitCosts, 'serverPoint' | 'databasePoint'> {
  const row = report.split('\n').find((line) => line.startsWith(`| ${POINTS_A_REQUEST} a request`))
  const [server = Number.NaN, database = Number.NaN] = row?.split('|').slice(5, 7).map(Number) ?? []
  return { serverPoint: server * 1e-6, databasePoint: database * 1e-6 }
}

interface Capacity {
  readonly points: number
  readonly first: string
}

function middleOf(cluster: Cluster, costs: UnitCosts): Capacity {
  const runs = Array.from({ length: RUNS }, (_, seed) => capacityOf(cluster, costs, randomFrom(seed + 1)))
  const [middle] = runs.toSorted((a, b) => a.points - b.points).slice(RUNS >> 1)
  if (middle === undefined) throw new Error('there was no run')
  return middle
}

/** The points a second at which the first process is full, found by halving. */
function capacityOf(cluster: Cluster, costs: UnitCosts, random: () => number): Capacity {
  const places = placeDomains(cluster, random)
  let [low, high] = [0, 1e9]
  while (high - low > high / 1_000) {
    const points = (low + high) / 2
    const loads = Object.values(loadsOf(places, cluster, costs, points))
    if (loads.every((load) => load < FULL)) low = points
    else high = points
  }
  const loads = Object.entries(loadsOf(places, cluster, costs, high))
  return { points: low, first: loads.toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? '' }
}

interface Place {
  /** The part of all points that belongs to this domain. */
  readonly share: number
  readonly server: number
}

/** Servers get domains by a hash. */
function placeDomains({ servers }: Cluster, random: () => number): readonly Place[] {
  const sizes = Array.from({ length: DOMAINS }, (_, rank) => 1 / (rank + 10))
  const all = sizes.reduce((sum, size) => sum + size, 0)
  return sizes.map((size) => ({ share: size / all, server: Math.floor(random() * servers) }))
}

/** The load of the fullest server and of the database, as shares of their cores. */
function loadsOf(places: readonly Place[], { servers, routing }: Cluster, costs: UnitCosts, points: number) {
  const ofServers = Array.from({ length: servers }, () => 0)
  /** How many servers flush points of one domain. */
  const flushers = routing === 'any' ? servers : 1
  let database = points * costs.databasePoint + (servers / FLUSH_EVERY) * costs.flush
  for (const { share, server } of places) {
    const requests = (share * points * FLUSH_EVERY) / POINTS_A_REQUEST / flushers
    database += ((flushers * (1 - Math.exp(-requests))) / FLUSH_EVERY) * costs.domainInFlush
    ofServers[server] = (ofServers[server] ?? 0) + share * points * costs.serverPoint
  }
  const mean = (points * costs.serverPoint) / servers
  const fullest = { any: mean, 'by domain': Infinity, 'by domain, balanced': mean * BALANCE }
  return { 'a server': Math.min(fullest[routing], Math.max(...ofServers)), 'the database': database / CORES }
}

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
