import { openPostgres } from '../../src/db/postgres/postgres.ts'
import { Datapoints } from '../../src/platform/datapoints/datapoints.ts'
import { findDomainBySlug } from '../../src/store/domains.ts'
import type { SentPoint } from '../support/site.ts'

// A process that stores points and at the same time does all that becomes of them later, as fast as it can: folds, levels of
// blocks, chunks, joined months, deletions, and what other processes left. It tells its parent what it sends before it sends it, and
// what is stored when it is; and it may die at any moment. Argument: a `ChurnTask`.

export interface ChurnTask {
  readonly url: string
  /** The series that the points are of; no other process has it. */
  readonly series: Omit<SentPoint, 'value' | 'timestamp'>
  /** The first value; each is sent once. */
  readonly first: number
  /** The time of the point with the first number, in milliseconds. */
  readonly from: number
  /** As many old points leave their block; fewer stay in it, in rows that last. */
  readonly leastOfChunk: number
}

/** A point: its number, which says its time, or null if it has none, and its value. */
export type ChurnedPoint = readonly [place: number | null, value: number]

export type ChurnMessage =
  | { readonly kind: 'sending'; readonly batch: number; readonly points: readonly ChurnedPoint[] }
  | { readonly kind: 'stored'; readonly batch: number }

/** Twenty minutes, so that a day has few points and a month is joined. */
const STEP = 1_200_000
const DAY = 86_400_000
/** With this little, a minute of it goes through all stages. */
const LIMITS = { foldAfterMs: 30, rowsOfLevel: 2, deadAfterSeconds: 1 }

const { url, series, first, from, leastOfChunk } = JSON.parse(process.argv[2] ?? '') as ChurnTask
const database = await openPostgres(url, { maxConnections: 4 })
const domain = await database.read((sql) => findDomainBySlug(sql, 'local'))
if (domain === null) throw new Error('there is no domain')

const parts = { database, newId: () => crypto.randomUUID(), isAlone: false, limits: { ...LIMITS, leastOfChunk } }
const present = new Datapoints({ ...parts, now: () => new Date() })
/** Two days ahead, so that what is stored now leaves its block and is joined. */
const future = new Datapoints({ ...parts, now: () => new Date(Date.now() + 2 * DAY) })

function tell(message: ChurnMessage): Promise<void> {
  return new Promise((resolve) => process.send?.(message, () => resolve()))
}

let value = first

/** New points with times, replacements of some of them, and points without times. */
function nextPoints(batch: number): ChurnedPoint[] {
  const at = (batch % 400) * 6
  const places =
    [Array.from({ length: 8 }, (_, index) => at + index), [at, at + 3, at + 5], [null, null]][batch % 3] ?? []
  return places.map((place) => [place, value++])
}

async function send(): Promise<void> {
  for (let batch = 0; ; batch++) {
    const points = nextPoints(batch)
    await tell({ kind: 'sending', batch: first + batch, points })
    const elements = points.map(([place, one]) => ({
      ...series,
      value: one,
      ...(place !== null && { timestamp: from + place * STEP }),
    }))
    const sender = { domainId: domain?.id ?? 0, actor: 'churn', systemUuid: null, units: null }
    // It may fail where the connection was ended; then nobody knows what became of it.
    const result = await present.ingest.add(sender, elements).catch(() => null)
    if (result?.stored === points.length) await tell({ kind: 'stored', batch: first + batch })
  }
}

async function keep(): Promise<void> {
  const works = [
    () => present.compactor.beat(),
    () => present.compactor.tick(),
    () => present.merge(),
    () => present.erase(),
    () => future.merge(),
    () => future.takeOver(),
    () => future.tidy(),
  ]
  // What fails is tried again, as a server does.
  for (;;) for (const work of works) await work().catch(() => undefined)
}

await Promise.all([send(), keep()])
