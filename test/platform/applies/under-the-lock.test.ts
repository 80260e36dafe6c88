import { AsyncResource } from 'node:async_hooks'
import { describe, expect, it } from 'vitest'
import type { Database, Sql } from '../../../src/db/sql.ts'
import type { DomainContext } from '../../../src/platform/domain-context.ts'
import { applyImport } from '../../../src/platform/imports/applying/apply-import.ts'
import { deleteRecord, updateRecord } from '../../../src/platform/records/change-record.ts'
import { createComponents } from '../../../src/platform/systems/components.ts'
import { EVERYWHERE } from '../../../src/platform/systems/reach.ts'
import { NO_SETTINGS } from '../../../src/records/settings.ts'
import { POSTGRES } from '../../support/databases.ts'
import { acknowledging, plan } from '../../support/domain.ts'
import { SITE_MODEL } from '../../support/site.ts'
import { context, database, datapoints, sender, site, useSite } from '../one-site.ts'

// What an apply asks about data while others wait for the lock of its domain, in statements and rows.

interface Asked {
  readonly text: string
  readonly isUnderLock: boolean
  readonly rows: number
}

const LOCK = 'from domain_state where domain_id = $1 for update'
const NOON = 1_760_000_000_000

useSite({ kind: POSTGRES })

function send(code: 'temperature' | 'count', values: readonly number[], at = NOON) {
  const points = values.map((value, index) => site.point(code, value, at + index))
  return datapoints.ingest.add(sender, points)
}

/** The same database, which notes what it is asked. `beforeLock` comes before the first lock of a domain. */
function watched(beforeLock: () => Promise<unknown> = () => Promise.resolve()) {
  const asked: Asked[] = []
  let locks = 0
  const note = (sql: Sql): Sql => {
    let isUnderLock = false
    const run = async <T extends object>(text: string, ask: () => Promise<T[]>): Promise<T[]> => {
      if (text.includes(LOCK) && (locks += 1) === 1) await beforeLock()
      const found = await ask()
      asked.push({ text, isUnderLock, rows: found.length })
      isUnderLock ||= text.includes(LOCK)
      return found
    }
    return {
      ...sql,
      rows: (shape, text, values) => run(text, () => sql.rows(shape, text, values)),
      query: (text, values) => run(text, () => sql.query(text, values)),
    }
  }
  const noting: Database = {
    ...database,
    read: (work) => database.read((sql) => work(note(sql))),
    transaction: (work) => database.transaction((sql) => work({ ...sql, ...note(sql) })),
  }
  return {
    context: { ...context, database: noting },
    get locks() {
      return locks
    },
    /** What was asked about data, with the number of rows that were found. */
    aboutData: (isUnderLock: boolean) =>
      asked.filter((one) => one.isUnderLock === isUnderLock && reads(one.text)).map(({ rows }) => rows),
  }
}

/** Whether a statement counts or reads what hangs on the model. */
function reads(text: string): boolean {
  return !/\bdelete from\b/.test(text) && /\b(?:series|datapoint\w+|components|events|setpoints)\b/.test(text)
}

const narrowed = (boundaryMax: number, of = 'temperature') => ({
  ...SITE_MODEL,
  characteristics: SITE_MODEL.characteristics.map((body) => (body.code === of ? { ...body, boundaryMax } : body)),
})
const WITHOUT_MODEL = {
  ...SITE_MODEL,
  componentModels: [{ code: 'other', name: 'Other', componentType: 'DEVICE', services: [] }],
}

interface Applied {
  readonly document: object
  readonly isAcknowledged?: boolean
  /** Whether the apply knows only the digest of the reviewed plan. */
  readonly byDigest?: boolean
}

async function apply(by: DomainContext, { document, isAcknowledged = false, byDigest = false }: Applied) {
  const { digest, ...shown } = await plan(context, document)
  const settings = isAcknowledged ? acknowledging({ digest, ...shown }) : NO_SETTINGS
  const bare = { formatVersion: 1, domain: context.domain.slug, digest, scope: [], references: [] }
  return applyImport(by, { document, settings, plan: byDigest ? bare : { digest, ...shown }, origin: {} })
}

const WAYS = [
  { way: 'with its whole plan', byDigest: false },
  { way: 'by a digest', byDigest: true },
]

describe.each(WAYS)('an apply $way', ({ byDigest }) => {
  it('that a guard stops without any data asks nothing about data', async () => {
    await send('temperature', [10, 20, 30])
    const { componentModels: _, ...document } = narrowed(15)
    const watch = watched()
    await expect(apply(watch.context, { document, byDigest })).rejects.toMatchObject({
      code: 'BLOCKED',
      details: [{ code: 'leaves-scope' }, { code: 'leaves-scope' }],
    })
    expect(watch.aboutData(true)).toStrictEqual([])
    // Whether there are series at all.
    expect(watch.aboutData(false)).toStrictEqual(byDigest ? [] : [1])
    expect(watch.locks).toBe(byDigest ? 1 : 0)
  })

  it('of a boundary that all values meet reads only what came since, under the lock', async () => {
    await send('temperature', [10, 20, 30])
    await datapoints.compactor.compact()
    await datapoints.compactor.compact()
    const quiet = watched()
    await expect(apply(quiet.context, { document: narrowed(50), byDigest })).resolves.toMatchObject({ recorded: true })
    expect(quiet.aboutData(false)).not.toStrictEqual([])
    expect(quiet.aboutData(true).reduce((sum, rows) => sum + rows, 0)).toBe(0)
    const sendOther = AsyncResource.bind(() => send('temperature', [11], NOON + 5))
    const busy = watched(() => (byDigest ? Promise.resolve() : sendOther()))
    await expect(apply(busy.context, { document: narrowed(40), byDigest })).resolves.toMatchObject({ recorded: true })
    // Of the later flush: its directory, its series, and its segment.
    const later = byDigest ? [] : [1, 1, 1]
    expect(busy.aboutData(true).filter((rows) => rows > 0)).toStrictEqual(later)
    expect(busy.locks).toBe(byDigest ? 2 : 1)
  })

  it.each([true, false])(
    'that deletes data counts nothing under the lock, acknowledged: %s',
    async (isAcknowledged) => {
      await send('temperature', [10, 20, 30])
      const watch = watched()
      const applying = apply(watch.context, { document: WITHOUT_MODEL, isAcknowledged, byDigest })
      const outcome: unknown = await applying.catch((error: unknown) => error)
      expect(outcome).toMatchObject(isAcknowledged ? { recorded: true } : { code: 'BLOCKED' })
      expect(watch.aboutData(false)).not.toStrictEqual([])
      expect(watch.aboutData(true)).toStrictEqual([])
    },
  )
})

it('an apply that no guard about data can stop asks nothing about data', async () => {
  await send('temperature', [10, 20, 30])
  const document = {
    ...SITE_MODEL,
    characteristics: SITE_MODEL.characteristics.map((body) => ({ ...body, name: 'Renamed' })),
  }
  const watch = watched()
  await expect(apply(watch.context, { document, byDigest: true })).resolves.toMatchObject({ recorded: true })
  expect([...watch.aboutData(true), ...watch.aboutData(false)]).toStrictEqual([])
  expect(watch.locks).toBe(1)
})

it('an update that only datapoints can stop counts nothing else again', async () => {
  const watch = watched()
  await expect(apply(watch.context, { document: narrowed(50, 'count') })).resolves.toMatchObject({ recorded: true })
  // Its components are counted once.
  expect(watch.aboutData(false).filter((rows) => rows > 0)).toStrictEqual([1])
  expect(watch.aboutData(true).filter((rows) => rows > 0)).toStrictEqual([])
})

it('a component that is made between the look of a deletion and its lock stops it', async () => {
  await apply(context, {
    document: { ...SITE_MODEL, componentModels: [...SITE_MODEL.componentModels, ...WITHOUT_MODEL.componentModels] },
  })
  const input = { system: site.systemUuid, componentModel: 'other', name: 'New' }
  const createOther = AsyncResource.bind(() => createComponents(context, EVERYWHERE, [input]))
  const watch = watched(createOther)
  await expect(apply(watch.context, { document: SITE_MODEL })).rejects.toMatchObject({
    code: 'BLOCKED',
    details: [{ code: 'deletes-data', key: 'other', message: /1 component/ }],
  })
  expect(watch.locks).toBe(1)
})

it('the first values of a characteristic, between the look of an apply and its lock, stop it', async () => {
  await send('temperature', [10])
  const document = narrowed(15, 'temperature')
  const both = {
    ...document,
    characteristics: document.characteristics.map((body) =>
      body.code === 'count' ? { ...body, boundaryMax: 1 } : body,
    ),
  }
  const sendOther = AsyncResource.bind(() => send('count', [7]))
  const watch = watched(sendOther)
  await expect(apply(watch.context, { document: both })).rejects.toMatchObject({
    code: 'BLOCKED',
    details: [{ code: 'invalidates-data', key: 'count' }],
  })
})

describe('the change of one record', () => {
  it('counts nothing under the lock', async () => {
    await send('temperature', [10, 20, 30])
    await datapoints.compactor.compact()
    await datapoints.compactor.compact()
    const deleting = watched()
    await expect(deleteRecord(deleting.context, 'componentModels', 'sensor', [])).rejects.toMatchObject({
      code: 'BLOCKED',
      details: [{ code: 'deletes-data' }],
    })
    const narrowing = watched()
    await updateRecord(narrowing.context, 'characteristics', 'temperature', { boundaryMax: 50 }, [])
    for (const watch of [deleting, narrowing]) {
      expect(watch.aboutData(false)).not.toStrictEqual([])
      expect(watch.aboutData(true).reduce((sum, rows) => sum + rows, 0)).toBe(0)
      expect(watch.locks).toBe(2)
    }
  })
})
