import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { INT8, nullable } from '../src/db/columns.ts'
import type { Database } from '../src/db/sql.ts'
import { send, toHoldfast } from './datapoints-client.ts'
import { MODEL } from './datapoints-site.ts'
import { makeDocument } from './documents.ts'
import { openDatapoints } from './fleet-clock.ts'
import type { Measured } from './fleet-goals.ts'
import type { Sizes } from './fleet-options.ts'
import { PER_SYSTEM, tell, type Fleet } from './fleet-subject.ts'
import { median, runCommand, timed } from './measure.ts'
import type { Server } from './platform.ts'
import { heldMemory } from './processes.ts'

// The fleet sends at a pace of its own for half an hour. Half way through, an apply of 100,000 records, and a retention
// that ends some of what was sent.

const PER_SECOND = 30_000
const SLICE_SECONDS = 60
const SAMPLE_MS = 2_000
const MINUTE = 60_000
const BARE_PAUSE_MS = 250
const RECORDS = 100_000
/** So long ago that some of it is a day old when the retention comes, and none of what arrives afterwards is. */
const BEGUN_AGO = 27 * 60 * MINUTE

interface Sample {
  readonly memory: number
  readonly hot: number
}

export async function measureSoak(fleet: Fleet, { series: count, soakMinutes }: Sizes): Promise<Measured> {
  const series = await fleet.site.add(count, PER_SYSTEM)
  const sampler = startSampler(fleet)
  const bare = await startBareWrites(fleet)
  const [times] = await Promise.all([
    sendFor(fleet, bare, series, soakMinutes),
    setTimeout((soakMinutes * MINUTE) / 2).then(() => disturb(fleet)),
  ])
  const samples = sampler.stop()
  await bare.stop()
  const [, second = [], last = []] = thirdsOf(samples)
  const growth = (figure: (part: readonly Sample[]) => number) => figure(last) / figure(second)
  const tail = (times[Math.floor((times.length - 1) * 0.99)] ?? Number.NaN) / median([...times])
  return {
    soakTail: tail,
    soakMemory: growth((part) => median(part.map(({ memory }) => memory))),
    soakHot: growth((part) => Math.max(...part.map(({ hot }) => hot))),
  }
}

/** The times of all requests, the shortest first. A token is good for some minutes, so it is sent in slices. */
async function sendFor(
  { server, database }: Fleet,
  bare: BareWrites,
  series: readonly string[],
  minutes: number,
): Promise<Float64Array> {
  const begin = Date.now() - BEGUN_AGO
  const all: number[] = []
  const rounds = Math.ceil((PER_SECOND * SLICE_SECONDS) / series.length)
  const end = performance.now() + minutes * MINUTE
  for (let slice = 0; performance.now() < end; slice++) {
    const { p50, p99, times } = await send({
      ...toHoldfast(server.url, await server.token()),
      series,
      batch: 1_000,
      connections: 8,
      points: rounds * series.length,
      from: begin + slice * rounds * MINUTE,
      step: MINUTE,
      perSecond: PER_SECOND,
    })
    for (const time of times) all.push(time)
    const beside = `bare writes p99 ${bare.takeTail().toFixed(1)} ms, ${await checkpoints(database)} checkpoints so far`
    tell(`  slice ${slice + 1}: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms; ${beside}`)
  }
  return Float64Array.from(all).sort()
}

/** An apply over HTTP by the command line, a retention, and the deletion of what it ends. */
async function disturb({ server, database }: Fleet): Promise<void> {
  const cwd = mkdtempSync(join(tmpdir(), 'holdfast-bench-soak-'))
  try {
    const { characteristics } = makeDocument(RECORDS)
    const document = { ...MODEL, characteristics: [...MODEL.characteristics, ...characteristics] }
    mkdirSync(join(cwd, 'models'))
    writeFileSync(join(cwd, 'models', 'models.json'), JSON.stringify(document))
    const words = ['apply', '--models', 'models', '--yes', '--url', server.url]
    const env = { HOLDFAST_TOKEN: await server.token() }
    const { wall } = await runCommand({
      words,
      cwd,
      env,
      expected: `${RECORDS.toLocaleString('en-US')} records created`,
    })
    tell(`  the apply took ${(wall / 1_000).toFixed(1)} s`)
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
  await setRetention(server)
  const datapoints = openDatapoints(database, { now: Date.now() })
  await datapoints.expire()
  tell('  what is older than a day was deleted')
}

async function setRetention({ url, token }: Server): Promise<void> {
  const headers = { authorization: `Bearer ${await token()}`, 'content-type': 'application/json' }
  const query = 'mutation { setRetention(keep: "P1D", acknowledge: true) { datapoints } }'
  const answer = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) })
  const text = await answer.text()
  if (!answer.ok || text.includes('"errors"')) throw new Error(`the server answered ${text.slice(0, 500)}`)
}

function startSampler({ server, database }: Fleet): { stop(): Sample[] } {
  const samples: Sample[] = []
  const timer = setInterval(() => {
    void hotBytes(database).then((hot) => samples.push({ memory: heldMemory(server.pid), hot }))
  }, SAMPLE_MS)
  return {
    stop: () => {
      clearInterval(timer)
      return samples
    },
  }
}

/** What the machine and the disk are good for at the same time, without anything of the platform. */
interface BareWrites {
  /** The p99 of those since it was last asked, in milliseconds. */
  takeTail(): number
  stop(): Promise<void>
}

/** As many rows as a request of the soak and its neighbours in a flush, four times a second, each time durable. */
async function startBareWrites({ database }: Fleet): Promise<BareWrites> {
  await database.script('create table if not exists bare_writes (series bigint, at bigint, value double precision)')
  let times: number[] = []
  const ending = new AbortController()
  const write = () => database.statement('insert into bare_writes select i, i, i from generate_series(1, 1600) i')
  const running = (async () => {
    while (!ending.signal.aborted) {
      times.push(await timed(write))
      await setTimeout(BARE_PAUSE_MS)
    }
  })()
  return {
    takeTail: () => {
      const sorted = times.toSorted((a, b) => a - b)
      times = []
      return sorted[Math.floor((sorted.length - 1) * 0.99)] ?? Number.NaN
    },
    stop: async () => {
      ending.abort()
      await running
    },
  }
}

/** Since the start of PostgreSQL, whatever asked for them. */
async function checkpoints(database: Database): Promise<number> {
  const [row] = await database.rows(
    { count: INT8 },
    'select num_timed + num_requested as count from pg_stat_checkpointer',
  )
  return row?.count ?? Number.NaN
}

async function hotBytes(database: Database): Promise<number> {
  const [row] = await database.rows(
    { bytes: nullable(INT8) },
    `select sum(pg_relation_size(c.oid))::bigint as bytes from pg_class c
     where c.relkind = 'r' and c.relname like 'datapoints\\_hot%'`,
  )
  return row?.bytes ?? 0
}

function thirdsOf<Item>(items: readonly Item[]): Item[][] {
  const third = Math.ceil(items.length / 3)
  return [0, 1, 2].map((index) => items.slice(index * third, (index + 1) * third))
}
