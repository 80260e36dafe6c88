import { AsyncResource } from 'node:async_hooks'
import { beforeEach, expect, it } from 'vitest'
import type { Database } from '../../../src/db/sql.ts'
import type { Datapoints } from '../../../src/platform/datapoints/datapoints.ts'
import { applyImport } from '../../../src/platform/imports/applying/apply-import.ts'
import { setRetention } from '../../../src/platform/datapoints/retention/set-retention.ts'
import { NO_SETTINGS } from '../../../src/records/settings.ts'
import { countingDatabase, type CountingDatabase } from '../../support/counting-database.ts'
import { plan } from '../../support/domain.ts'
import { SITE_MODEL } from '../../support/site.ts'
import { historyOf } from './history.ts'
import { context, database, databases, sender, serve, site, useSite } from '../one-site.ts'

// A flush that was checked by one model, and an apply that makes another one of it at the same moment.

const NOON = 1_760_000_000_000

/** Each attempt to store a flush. */
let flushes: string[] = []
let one: Datapoints

useSite({ processes: 3, isAlone: false })
beforeEach(async () => {
  const counting = countingDatabase(database, ({ text }) => {
    if (text.includes('store_flush')) flushes.push(text)
  })
  one = serve({ database: counting })
  await send(10, NOON)
})

function send(value: number, at: number) {
  return one.ingest.add(sender, [site.point('temperature', value, at)])
}

const temperatures = async () => ((await historyOf(context))['Sensor 0 temperature'] ?? []).map(([, value]) => value)

/** A model in which temperatures above 20 are refused, applied by one of the processes. */
async function narrow(database: Database, code = 'temperature'): Promise<unknown> {
  const text = JSON.stringify(SITE_MODEL).replaceAll('"code":"temperature"', `"code":"${code}"`)
  const model = JSON.parse(text) as typeof SITE_MODEL
  const characteristics = model.characteristics.map((body) =>
    body.code === code ? { ...body, boundaryMax: 20 } : body,
  )
  const document = { ...model, characteristics }
  const moved = [{ type: 'characteristics' as const, from: 'temperature', to: code }]
  const settings = code === 'temperature' ? NO_SETTINGS : { ...NO_SETTINGS, moved }
  const reviewed = await plan(context, document, settings)
  return applyImport({ ...context, database }, { document, settings, plan: reviewed, origin: {} })
}

/** Resolves when a transaction waits for one lock of this kind. */
async function waiting(kind: 'relation' | 'advisory'): Promise<void> {
  for (;;) {
    const found = await context.database.statement(
      `select 1 as one from pg_locks where locktype = $1 and not granted
         and database = (select oid from pg_database where datname = current_database())`,
      [kind],
    )
    if (found.length > 0) return
    await new Promise(setImmediate)
  }
}

/** What has happened so far, in its order. */
function orderOf(named: { readonly [name: string]: Promise<unknown> }): string[] {
  const order: string[] = []
  for (const [name, promise] of Object.entries(named)) void promise.then(() => order.push(name))
  return order
}

it('a flush that was checked by the old model and is just being written is seen by the apply that narrows it', async () => {
  const hold = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const holding = (databases[2] as Database).transaction(async (sql) => {
    await sql.query('lock table datapoints_hot in share mode')
    held.resolve()
    await hold.promise
  })
  await held.promise
  const sending = send(30, NOON + 1)
  await waiting('relation')
  const applying = narrow(databases[1] as Database)
  await waiting('advisory')
  hold.resolve()
  await Promise.all([holding, sending])
  await expect(applying).rejects.toMatchObject({ code: 'BLOCKED' })
  expect(await temperatures()).toStrictEqual([10, 30])
})

it('a flush that was checked by the old model waits for an apply that is about to commit, and is refused', async () => {
  const hold = Promise.withResolvers<void>()
  const atCommit = Promise.withResolvers<void>()
  let isWritten = false
  const counting = countingDatabase(databases[1] as Database, async ({ text }) => {
    isWritten ||= text.includes('pg_advisory_xact_lock(hashtextextended(')
    if (text !== 'COMMIT' || !isWritten) return
    atCommit.resolve()
    await hold.promise
  })
  const applying = narrow(counting)
  await atCommit.promise
  flushes = []
  const sending = send(30, NOON + 1)
  const order = orderOf({ sending, applying })
  // It is only tried again where the first attempt left it out.
  while (flushes.length < 2) await new Promise(setImmediate)
  expect(order).toStrictEqual([])
  hold.resolve()
  expect(await sending).toMatchObject({ stored: 0, errors: [{ code: 'out-of-bounds' }] })
  await applying
  expect(await temperatures()).toStrictEqual([10])
})

it('what is stored after an apply has looked at the values stops it too', async () => {
  let isFirst = true
  // As another process would: outside of the transaction that is open at that moment.
  const sendOther = AsyncResource.bind(() => send(30, NOON + 1))
  const slow = countingDatabase(databases[1] as Database, async ({ text }) => {
    if (!isFirst || !text.includes('pg_advisory_xact_lock(hashtextextended(')) return
    isFirst = false
    expect(await sendOther()).toMatchObject({ stored: 1 })
  })
  await expect(narrow(slow)).rejects.toMatchObject({ code: 'BLOCKED' })
  expect(isFirst).toBe(false)
  expect(await temperatures()).toStrictEqual([10, 30])
})

const LOCK = 'from domain_state where domain_id = $1 for update'

/** As a process notes that no flush is on its way. */
async function settle(): Promise<void> {
  await context.database.statement('update writer_slots set settled = (select last_value from datapoint_generations)')
}

/** What is asked of a database from the first time on that it locks a domain. */
function underLock({ statements }: CountingDatabase): readonly string[] {
  return statements.slice(statements.findIndex((text) => text.includes(LOCK)))
}

/** Whether a statement reads or counts points, and not only those of later flushes. */
function reads(text: string): boolean {
  return (
    /\b[hbc]\.points\b|\b[bh]\.series\b|datapoint_chunks|folded_values|block_values/.test(text) &&
    !/generation > /.test(text)
  )
}

it.each([
  ['in blocks', () => one.compactor.compact()],
  ['hot', () => Promise.resolve()],
])('values that are stored before an apply takes the lock, %s, are not read under it', async (_, fold) => {
  await fold()
  await settle()
  const counting = countingDatabase(databases[1] as Database)
  await expect(narrow(counting)).resolves.toMatchObject({ recorded: true })
  expect(counting.statements.filter(reads)).not.toStrictEqual([])
  expect(underLock(counting).filter(reads)).toStrictEqual([])
})

it.each(['temperature', 'warmth'])(
  'what is stored between the look of an apply and its lock stops it, or fits, where it becomes %s',
  async (code) => {
    let locks = 0
    const sendOther = AsyncResource.bind((value: number) => send(value, NOON + value))
    const applying = (value: number) => {
      locks = 0
      const slow = countingDatabase(databases[1] as Database, async ({ text }) => {
        if (!text.includes(LOCK) || (locks += 1) !== 1) return
        expect(await sendOther(value)).toMatchObject({ stored: 1 })
      })
      return narrow(slow, code)
    }
    await expect(applying(30)).rejects.toMatchObject({ code: 'BLOCKED' })
    // Written over, and settled.
    await send(12, NOON + 30)
    await settle()
    await expect(applying(15)).resolves.toMatchObject({ recorded: true })
    expect(locks).toBe(1)
  },
)

it('values that were not kept at the look of an apply, and are at its lock, stop it', async () => {
  await send(30, NOON + 1)
  await settle()
  const keep = AsyncResource.bind((keep: string | null) =>
    setRetention(context, { characteristic: null, keep, acknowledge: true }),
  )
  await keep('P1D')
  let isFirst = true
  const slow = countingDatabase(databases[1] as Database, async ({ text }) => {
    if (!isFirst || !text.includes(LOCK)) return
    isFirst = false
    await keep(null)
  })
  await expect(narrow(slow)).rejects.toMatchObject({ code: 'BLOCKED' })
  expect(isFirst).toBe(false)
})
