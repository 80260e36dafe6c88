import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPglite } from '../../src/db/pglite/pglite.ts'
import { openPostgres } from '../../src/db/postgres/postgres.ts'
import type { Database } from '../../src/db/sql.ts'
import { findApply } from '../../src/platform/imports/history/applies.ts'
import { applyImport, type ApplyRequest } from '../../src/platform/imports/applying/apply-import.ts'
import { planImport } from '../../src/platform/imports/planning/plan-import.ts'
import { writeDomain } from '../../src/store/domains.ts'
import { countingDatabase } from '../support/counting-database.ts'
import { createPostgresDatabase, PGLITE } from '../support/databases.ts'
import { MIGRATED_TEMPLATE } from '../support/global-setup.ts'
import { putMigratedPglite } from '../support/migrated-pglite.ts'
import { dumpTables, modelShape } from '../support/table-dump.ts'
import { applyAndDie, type Death } from './killed-process.ts'
import { APPLY_ID, prepareSample, sampleDomain } from './sample.ts'
import { isLong } from '../support/runs.ts'

/** Otherwise the one before the commit, of a PGlite: killed-server.test.ts kills servers before other statements. */
const EVERY_BOUNDARY = isLong || process.env['FAULT_RUNS'] !== undefined
/** From one statement at which to kill to the next: a killed PGlite takes two seconds to come back. */
const STEP = EVERY_BOUNDARY ? 1 : Infinity
/** One that is over goes on beside the next one, and two processes in one PGlite damage it. */
const LONG = { timeout: EVERY_BOUNDARY ? 3_600_000 : 300_000 }

/** What an apply that nobody kills leaves, and the statements it takes. */
let newShape: readonly object[]
let statements: readonly string[]

beforeAll(async () => {
  const database = await PGLITE.openMigrated()
  const context = await sampleDomain(database)
  const request = await prepareSample(context)
  const counting = countingDatabase(database)
  await applyImport({ ...context, database: counting }, request)
  newShape = await modelShape(database)
  statements = counting.statements
  await database.close()
})

interface Place {
  readonly address: string
  remove(): Promise<void>
}

interface PlaceKind {
  readonly name: 'PGlite' | 'PostgreSQL'
  /** A migrated database that other processes can open. */
  make(): Place | Promise<Place>
  open(address: string): Promise<Database>
}

const ALL_KINDS: readonly PlaceKind[] = [
  {
    name: 'PGlite',
    make: makeDirectory,
    open: (address) => openPglite(address),
  },
  {
    name: 'PostgreSQL',
    make: async () => {
      const { url, drop } = await createPostgresDatabase(MIGRATED_TEMPLATE)
      return { address: url, remove: drop }
    },
    open: (address) => openPostgres(address, { maxConnections: 2 }),
  },
]

const KINDS = ALL_KINDS.filter(({ name }) => name === 'PGlite' || EVERY_BOUNDARY)

function makeDirectory(): Place {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-kills-'))
  putMigratedPglite(folder)
  return { address: join(folder, 'pglite'), remove: async () => rmSync(folder, { recursive: true }) }
}

describe.each(KINDS)('a process that is killed in the middle of an apply on $name', ({ make, open }) => {
  let place: Place
  let request: ApplyRequest
  let before: unknown

  beforeAll(async () => {
    place = await make()
    await onDatabase(async (database) => {
      request = await prepareSample(await sampleDomain(database))
      before = await dumpTables(database)
    })
  })
  afterAll(() => place.remove())

  it('leaves the state before it, whichever statement was next', LONG, async () => {
    // The last one is before the commit.
    for (let boundary = statements.length; boundary >= 1; boundary -= STEP) {
      expect(await stateAfter({ killer: 'itself', boundary })).toBe('old')
    }
  })

  it.runIf(EVERY_BOUNDARY)(
    'leaves the state before it or the one after it when it is struck at any moment',
    LONG,
    async () => {
      let state = 'old'
      for (let boundary = statements.length - 3; boundary <= statements.length && state === 'old'; boundary += 1) {
        state = await stateAfter({ killer: 'its parent', boundary })
        expect(['old', 'new']).toContain(state)
      }
    },
  )

  it(
    'has made the apply once it is committed, and the same apply sent again is answered, not made',
    { timeout: 180_000 },
    async () => {
      expect(await stateAfter({ killer: 'itself', boundary: 'answer' })).toBe('new')
      await onDatabase(async (database) => {
        const after = await dumpTables(database)
        const context = await sampleDomain(database)
        expect(await applyImport(context, request)).toStrictEqual(await findApply(context, APPLY_ID))
        expect(await dumpTables(database)).toStrictEqual(after)
      })
    },
  )

  async function onDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
    const database = await open(place.address)
    try {
      return await work(database)
    } finally {
      await database.close()
    }
  }

  /** The plan and the tables must say the same. */
  async function stateAfter(death: Death): Promise<string> {
    if ((await applyAndDie(place.address, request, death)) !== 'SIGKILL') return 'not killed'
    return onDatabase(async (database) => {
      const context = await sampleDomain(database)
      // The server goes on with what it was sent until it notices; the lock is free when it has.
      await writeDomain(database, context.domain.id, async () => undefined)
      const { plan } = await planImport(context, request.document, request.settings)
      if (isDeepStrictEqual([plan, await dumpTables(database)], [request.plan, before])) return 'old'
      if (isDeepStrictEqual([plan.outcome, await modelShape(database)], ['no-changes', newShape])) return 'new'
      return 'a mix'
    })
  }
})
