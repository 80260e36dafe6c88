import type { Database, Sql } from '../../../db/sql.ts'
import { withPauses } from '../../../db/time-limit.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import { counted } from '../../../lib/counted.ts'
import { refuseMuchHotOf } from '../../../store/datapoints/points/points.ts'
import { readDomain } from '../../../store/domains.ts'
import { boundTo } from '../../../store/model/units.ts'
import { SharedSlots } from '../../shared-slots.ts'
import { alreadyNamed, readAtOneMoment, type FoundSeries } from '../reading/stored/moment-reader.ts'
import type { PointReader } from '../reading/stored/point-reader.ts'
import { storedPointReader } from '../reading/stored/stored-point-reader.ts'

export interface ExportLimits {
  /** The maximum number of exports at once. Each holds a connection until its client has read everything. */
  readonly atOnce: number
  readonly ofAccount: number
  /** A client that reads nothing for this long counts as disconnected. */
  readonly stalledMs: number
  /** The longest export. Until its end, the database cannot clean up deleted rows (docs/decisions/0038). */
  readonly longestMs: number
}

const EXPORT_LIMITS: ExportLimits = { atOnce: 4, ofAccount: 2, stalledMs: 60_000, longestMs: 1_800_000 }

interface ExportQuery<Found> {
  readonly domainId: number
  readonly account: string
  /** The units in which the role of the actor applies; null for all. */
  readonly units: readonly string[] | null
  /** Looks up the exported series, in the snapshot of the file. */
  find(sql: Sql): Promise<FoundSeries<Found>>
  readonly to: number
}

type Write<Found> = (reader: PointReader, found: Found) => AsyncIterable<Uint8Array>

/** Writes files while their clients read them, at any speed. */
export class Exports {
  readonly #database: Database
  readonly #limits: ExportLimits
  readonly #slots: SharedSlots

  constructor(database: Database, limits: Partial<ExportLimits> = {}) {
    this.#database = database
    this.#limits = { ...EXPORT_LIMITS, ...limits }
    this.#slots = new SharedSlots({ most: this.#limits.atOnce, mostOfAccount: this.#limits.ofAccount })
  }

  /**
   * Writes a file from one snapshot. If the database has a single connection, each part of about 100,000 points has its
   * own snapshot, because a client must not block all other requests.
   */
  open<Found>(query: ExportQuery<Found>, write: Write<Found>): AsyncIterable<Uint8Array> {
    if (this.#database.isSingle === true) return writeInParts(boundTo(this.#database, query.units), query, write)
    const database = boundTo(withPauses(this.#database, this.#limits.longestMs), query.units)
    const leave = this.#takeSlot(query.account)
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const writer = writable.getWriter()
    const work = async (reader: PointReader, found: Found): Promise<void> => {
      const deadline = performance.now() + this.#limits.longestMs
      for await (const piece of write(reader, found)) {
        const left = deadline - performance.now()
        if (left <= 0) throw tooSlow()
        await within(Math.min(this.#limits.stalledMs, left), writer.write(piece))
      }
    }
    const find = async (sql: Sql) => alreadyNamed(await query.find(sql))
    readAtOneMoment(database, query.domainId, { to: query.to }, find, work)
      .finally(leave)
      .then(
        () => writer.close(),
        (error: unknown) => writer.abort(error),
      )
      // The client has disconnected and reads no error.
      .catch(() => undefined)
    return readable
  }

  #takeSlot(account: string): () => void {
    const lacking = this.#slots.lacking(account)
    if (lacking === null) return this.#slots.take(account)
    const limit = lacking === 'all' ? 'atOnce' : 'ofAccount'
    throw tooMany(this.#limits[limit], lacking)
  }
}

async function* writeInParts<Found>(
  database: Database,
  { domainId, find, to }: ExportQuery<Found>,
  write: Write<Found>,
): AsyncGenerator<Uint8Array> {
  const found = await readDomain(database, domainId, async (sql) => {
    const { ids, named } = alreadyNamed(await find(sql))
    // Checked first: otherwise the file would break off at the first series with too many hot points.
    await refuseMuchHotOf(sql, domainId, ids, to)
    return (await named()).found
  })
  yield* write(storedPointReader(database, domainId), found)
}

async function within(ms: number, written: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooSlow()), ms)
  })
  try {
    await Promise.race([written, late])
  } finally {
    clearTimeout(timer)
    written.catch(() => undefined)
  }
}

function tooMany(most: number, lacking: 'all' | 'account'): HoldfastError {
  const whose = lacking === 'all' ? '' : ' for this account'
  const message = `${counted(most, 'file')} of datapoints are being written${whose}, which is the maximum; try again in a moment`
  return new HoldfastError('UNAVAILABLE', message)
}

function tooSlow(): HoldfastError {
  return new HoldfastError(
    'LIMIT_EXCEEDED',
    'the client read the export too slowly, or the export is too long; use a shorter range',
  )
}
