import { lookingFirst } from '../../../src/platform/datapoints/redefining/look-first.ts'
import { randomBytes } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import { ENOUGH_POINTS } from '../../../src/datapoints/segments/divide-points.ts'
import { INT8 } from '../../../src/db/columns.ts'
import { compileRules } from '../../../src/records/data-types/data-type.ts'
import type { Sql } from '../../../src/db/sql.ts'
import { lookAgain, NewMisfits } from '../../../src/platform/datapoints/redefining/look-again.ts'
import { writeAccess } from '../../../src/store/domains.ts'
import { countingDatabase } from '../../support/counting-database.ts'
import { applyAll, plan } from '../../support/domain.ts'
import { SITE_MODEL } from '../../support/site.ts'
import { context, database, datapoints, restart, sender, site, useSite } from '../one-site.ts'

// The look at what came since another look, for which a change holds the lock of its domain.

const NOON = 1_760_000_000_000
const LATER = (NOON + 100 * 86_400_000) * 1_000

useSite({ limits: { leastOfChunk: 1 } })
beforeEach(() => database.statement('delete from datapoints_hot_damaged'))

async function store(...elements: readonly unknown[]): Promise<void> {
  expect(await datapoints.ingest.add(sender, elements)).toMatchObject({ stored: elements.length })
}

async function pack(): Promise<void> {
  await datapoints.compactor.compact()
  await datapoints.blockMerger.sweep()
  while (await datapoints.blockMerger.merge(LATER)) continue
}

const text = (characters: number) => randomBytes(characters / 2).toString('hex')

const STRING = compileRules({ dataType: 'STRING' })
const OK = compileRules({ dataType: 'SELECT', options: [{ key: 'ok', label: 'OK' }] })

/** Looks for notes that fitted `before` and are not `ok`; tells the most bytes that one answer of the database has. */
function look(
  before = STRING,
  sent = { most: 0, all: 0 },
  through = -1,
  beforeLong: (sql: Sql) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const redefined = [{ key: 'note', redefinition: { before, after: OK }, mayRefuse: true }]
  const weighed = (sql: Sql): Sql => ({
    ...sql,
    rows: async (shape, statement, values) => {
      if (statement.includes('with ordinality')) await beforeLong(sql)
      const rows = await sql.rows(shape, statement, values)
      const bytes = rows.flatMap(Object.values).map((value) => (value instanceof Uint8Array ? value.length : 0))
      const size = bytes.reduce((sum, one) => sum + one, 0)
      sent.most = Math.max(sent.most, size)
      sent.all += size
      return rows
    },
  })
  const { id } = context.domain
  return writeAccess(database, id, (sql) => lookAgain(weighed(sql), id, { redefined, through }))
}

it('has a few of many megabytes in memory', async () => {
  for (let index = 0; index < 24; index++) {
    await store(site.point('note', text(index % 2 === 0 ? 600_000 : 200_000), NOON + index))
    if (index % 6 === 5) await pack()
  }
  const sent = { most: 0, all: 0 }
  await look(OK, sent)
  expect(sent.all).toBeGreaterThan(4_500_000)
  expect(sent.most).toBeLessThan(2_000_000)
})

it.each(['hot', 'in a block', 'in a chunk'])('finds one value %s among those that fit', async (where) => {
  if (where === 'in a block') {
    await datapoints.close()
    restart({ limits: { leastOfChunk: ENOUGH_POINTS } })
  }
  await store(...[0, 1, 2].map((index) => site.point('note', 'ok', NOON + index)), site.point('count', 1, NOON))
  await pack()
  await look()
  const [row] = await database.rows({ last: INT8 }, 'select last_value as last from datapoint_generations')
  await store(site.point('note', 'other', NOON + 3))
  if (where !== 'hot') await pack()
  await expect(look()).rejects.toBeInstanceOf(NewMisfits)
  await look(STRING, undefined, (row?.last ?? 0) + 1)
})

it('does not weigh what had arrived before', async () => {
  await store(site.point('note', 'other', NOON))
  await database.statement(`update datapoints_hot set points = points || convert_to(repeat('x', 134217728), 'UTF8')`)
  const [row] = await database.rows({ last: INT8 }, 'select max(generation) as last from datapoints_hot')
  await store(site.point('note', 'ok', NOON + 1))
  await look(STRING, undefined, row?.last)
  await expect(look(STRING, undefined, (row?.last ?? 0) - 1)).rejects.toThrow(/have just arrived/)
})

async function merged(sql: Sql): Promise<void> {
  await sql.query('update datapoint_chunks set generation = generation + 1')
}

it('begins anew where a long chunk was merged while it was looked at', async () => {
  await store(site.point('note', text(600_000), NOON))
  await pack()
  let attempts = 0
  const change = async () => {
    attempts += 1
    await look(OK, undefined, -1, attempts === 1 ? merged : undefined)
  }
  await lookingFirst(context, false, { change, rehearse: () => Promise.resolve() })
  expect(attempts).toBe(2)
})

const DAMAGED = "series = substring(series for 1) || '\\xff'::bytea"
const narrowed = () => ({
  ...SITE_MODEL,
  characteristics: SITE_MODEL.characteristics.map((one) => (one.code === 'count' ? { ...one, boundaryMax: 5 } : one)),
})

it('a block whose directory is damaged is named', async () => {
  await store(site.point('note', 'ok', NOON))
  await datapoints.compactor.compact()
  await database.statement(`update datapoint_blocks set ${DAMAGED}`)
  await expect(look()).rejects.toThrow(/^a segment of the block \d+ cannot be read: .*restore its row from a backup/)
})

it('a damaged row that arrived stops a change of its series, by name, and no other', async () => {
  await store(site.point('count', 1, NOON))
  const columns = 'domain_id, generation, series_lo, series_hi, t0, t1, count, series, points'
  await database.statement(
    `insert into datapoints_hot_damaged (buffer, ${columns}) select -1, ${columns} from datapoints_hot`,
  )
  await database.statement(`update datapoints_hot_damaged set ${DAMAGED}`)
  await expect(plan(context, narrowed())).rejects.toThrow(/^a segment of the series \d+ to \d+ cannot be read: /)
  await database.statement('update datapoints_hot_damaged set series_lo = 1000000, series_hi = 1000000')
  expect(await plan(context, narrowed())).toMatchObject({ outcome: 'changes' })
})

it('neither a plan nor an apply counts what is stored while hot points cannot be folded', async () => {
  await store(site.point('count', 1, NOON))
  await pack()
  // The series is there, so the data is asked.
  await database.script('delete from datapoint_chunks; delete from datapoint_blocks')
  const watched = countingDatabase(database)
  await applyAll({ ...context, database: watched }, narrowed())
  let [isHeld, holds] = [false, 0]
  const looks: string[] = []
  for (const text of watched.statements) {
    if (/lock table datapoints_hot/.test(text)) [isHeld, holds] = [true, holds + 1]
    else if (/^(COMMIT|rollback to savepoint)/.test(text)) isHeld = false
    else if (isHeld && /datapoint_(blocks|chunks)/.test(text)) looks.push(text)
  }
  // Before it takes the lock of the domain, and under it.
  expect(holds).toBeGreaterThan(1)
  expect(looks).toStrictEqual([])
})
