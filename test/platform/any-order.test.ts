import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nullable, TEXT } from '../../src/db/columns.ts'
import type { Database, Sql } from '../../src/db/sql.ts'
import { loadDocument } from '../../src/documents/read/load.ts'
import { isObject, type Json } from '../../src/lib/json.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import type { Plan } from '../../src/plan/plan.ts'
import { PGLITE, POSTGRES } from '../support/databases.ts'
import { applyAll, emptyDomain, makeDomain, plan } from '../support/domain.ts'
import { examples } from '../support/example-records.ts'
import { modelArbitrary, mutationArbitrary } from '../support/random-model.ts'
import type { Model } from '../support/valid-model.ts'
import { planAgainst } from '../plan/plan-against.ts'
import { runsOf } from '../support/runs.ts'

// Semantics, section 6: a plan is deterministic to the byte, in whatever order files, keys, records and rows come.

const RUNS = runsOf('LAW_RUNS', { sample: 6, long: 25 })
const domains: DomainContext[] = []
const databases: Database[] = []

beforeAll(async () => {
  for (const { openMigrated } of [PGLITE, POSTGRES]) databases.push(await openMigrated())
  for (const database of databases) domains.push(await makeDomain(database))
})
afterAll(() => Promise.all(databases.map((database) => database.close())))

/** Secrets are left out: their fingerprints depend on the domain. */
function withoutSecrets({ applicationConsumers: _, machineUsers: __, ...model }: Model): Model {
  return model
}

/** Lists whose order is meaning; what a JSON Schema lists is not touched at all. */
const ORDERED = ['options', 'meta']

/** The same document with every list whose order means nothing, and the keys of every object, in another order. */
function shuffled(value: Json, order: (count: number) => readonly number[], field = ''): Json {
  if (Array.isArray(value)) {
    const items = value.map((item) => shuffled(item, order))
    return ORDERED.includes(field) ? items : order(items.length).map((index) => items[index] ?? null)
  }
  if (!isObject(value) || field === 'schema') return value
  const entries = Object.entries(value)
  const inOrder = order(entries.length).flatMap((index) => entries.slice(index, index + 1))
  return Object.fromEntries(inOrder.map(([key, member]) => [key, shuffled(member, order, key)]))
}

/** A permutation of 0 … count-1 for each seed. */
function orderOf(seed: number): (count: number) => readonly number[] {
  let state = seed
  const next = () => (state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff)
  return (count) => {
    const order = [...Array(count).keys()]
    return order
      .map((index) => ({ index, at: next() }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ index }) => index)
  }
}

const COLUMNS = { columns: nullable(TEXT) }

/** All but the generated ones, which are not written. */
async function storedColumns(sql: Sql, table: string): Promise<string> {
  const [row] = await sql.rows(
    COLUMNS,
    `select string_agg(attname, ', ') as columns from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  )
  return row?.columns ?? ''
}

/** Rewrites the rows in another order, so that the answer of a query without ORDER BY changes. */
async function shuffleRows({ database }: DomainContext, seed: number): Promise<void> {
  await database.transaction(async (sql) => {
    for (const table of ['records', 'record_references', 'record_drift']) {
      const columns = await storedColumns(sql, table)
      await sql.query(
        `with gone as (delete from ${table} returning *)
         insert into ${table} (${columns}) select ${columns} from gone order by md5(gone::text || $1)`,
        [String(seed)],
      )
    }
  })
}

/** Positions follow the records, so of a finding only what it says is compared. */
function withoutPositions({ diagnostics, ...rest }: Plan): string {
  return JSON.stringify({ ...rest, diagnostics: diagnostics.map(({ code, message }) => `${code} ${message}`).sort() })
}

const documents = modelArbitrary().chain((before) => fc.tuple(fc.constant(before), mutationArbitrary(before), fc.nat()))

test('shuffled rows and keys give the same bytes, on both databases', async () => {
  await fc.assert(
    fc.asyncProperty(documents, async ([first, second, seed]) => {
      const [before, after] = [withoutSecrets(first), withoutSecrets(second)]
      const texts: string[] = []
      for (const domain of domains) {
        await emptyDomain(domain)
        await applyAll(domain, before)
        texts.push(JSON.stringify(await plan(domain, after)))
        await shuffleRows(domain, seed)
        texts.push(JSON.stringify(await plan(domain, after)))
        const keysShuffled = Object.fromEntries(Object.entries(after).toReversed())
        texts.push(JSON.stringify(await plan(domain, keysShuffled)))
      }
      for (const text of texts) expect(text).toBe(texts[0])
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
})

test('shuffled records, keys and lists give the same changes, digests and findings', async () => {
  const [database] = databases as [Database]
  await fc.assert(
    fc.asyncProperty(documents, async ([before, after, seed]) => {
      // Made anew, because it also remembers how often secrets were guessed.
      const domain = await makeDomain(database)
      await emptyDomain(domain)
      await applyAll(domain, before)
      const straight = await plan(domain, after)
      await shuffleRows(domain, seed)
      const mixed = await plan(domain, shuffled(after, orderOf(seed)) as object)
      expect(withoutPositions(mixed)).toBe(withoutPositions(straight))
      expect(mixed.digest).toBe(straight.digest)
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
})

test('a link both of whose ends are deleted gives the same reason, whichever the platform names first', async () => {
  const live = {
    characteristics: examples('characteristics', ['t']),
    services: [{ code: 'climate', name: 'Climate', characteristics: [{ code: 't' }] }],
  }
  const next = { characteristics: [], services: [] }
  const [straight, reversed] = [await planAgainst(live, next), await planAgainst(live, next, { reversed: true })]
  expect(straight.changes).toHaveLength(3)
  expect(JSON.stringify(reversed)).toBe(JSON.stringify(straight))
})

test('files in any order are merged into the same document', () => {
  fc.assert(
    fc.property(modelArbitrary(), fc.nat(), (model, seed) => {
      const files = Object.entries(model).flatMap(([type, records]) =>
        records.map((record, index) => ({
          path: `models/${type}-${index}.json`,
          bytes: new TextEncoder().encode(JSON.stringify({ [type]: [record] })),
        })),
      )
      const merged = (list: typeof files) => {
        const { document } = loadDocument(
          list,
          { env: () => undefined, file: () => undefined },
          { secretFields: new Map() },
        )
        return JSON.stringify(document)
      }
      const order = orderOf(seed)(files.length)
      expect(merged(order.flatMap((index) => files.slice(index, index + 1)))).toBe(merged(files))
    }),
    { endOnFailure: true },
  )
})
