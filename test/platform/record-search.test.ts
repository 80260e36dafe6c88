import { describe, expect, it } from 'vitest'
import { TEXT } from '../../src/db/columns.ts'
import type { Database, Sql, SqlValue } from '../../src/db/sql.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { listRecords } from '../../src/platform/records/read-records.ts'
import { EVERYWHERE } from '../../src/platform/systems/reach.ts'
import { readDomain } from '../../src/store/domains.ts'
import { DATABASES } from '../support/databases.ts'
import { applyAll } from '../support/domain.ts'
import { oneDomain } from './one-domain.ts'

const LONG = `${'very '.repeat(2_000)}long`
const MANY = 5_000

const NAMES = [
  ['flow', 'Flow temperature'],
  ['gauge-1', '100 % of ÜBERDRUCK_1'],
  ['path', 'C:\\data'],
  ['talk', LONG],
] as const

function characteristic(code: string, name: string): object {
  return { code, name, characteristicType: 'MEASUREMENT', dataType: 'FLOAT' }
}

/** The plans of the statements that a work asks for. */
async function plansOf(
  context: DomainContext,
  work: (context: DomainContext) => Promise<unknown>,
  options = 'costs off',
) {
  const { database, domain } = context
  const asked: (readonly [text: string, values: readonly SqlValue[]])[] = []
  const noting = (sql: Sql): Sql => ({
    ...sql,
    rows: (shape, text, values = []) => {
      asked.push([text, values])
      return sql.rows(shape, text, values)
    },
  })
  const read: Database['read'] = (look) => database.read((sql) => look(noting(sql)))
  await work({ ...context, database: { ...database, read } })
  return readDomain(database, domain.id, async (sql) => {
    const plans: string[] = []
    for (const [text, values] of asked) {
      const lines = await sql.rows({ 'QUERY PLAN': TEXT }, `explain (${options}) ${text}`, values)
      plans.push(lines.map((line) => line['QUERY PLAN']).join('\n'))
    }
    return plans
  })
}

describe.each(DATABASES)('the search of records on $name', (kind) => {
  const domain = oneDomain(kind)
  const page = { first: 50, after: null, order: { by: 'KEY', direction: 'ASC' } } as const
  const search = (text: string, context = domain(), most = {}) =>
    listRecords(context, EVERYWHERE, 'characteristics', { ...page, ...most, filter: { search: text } })
  const found = async (text: string) => (await search(text)).items.map(({ key }) => key)

  it('finds part of a key or a name in any case, of whatever length, and knows no wildcards', async () => {
    await applyAll(domain(), { characteristics: NAMES.map(([code, name]) => characteristic(code, name)) })
    expect(await found('FLOW')).toStrictEqual(['flow'])
    expect(await found('TEMPER')).toStrictEqual(['flow'])
    expect(await found('gauge-1')).toStrictEqual(['gauge-1'])
    expect(await found('%')).toStrictEqual(['gauge-1'])
    expect(await found('überdruck')).toStrictEqual(['gauge-1'])
    expect(await found('k_1')).toStrictEqual(['gauge-1'])
    expect(await found('\\DATA')).toStrictEqual(['path'])
    expect(await found('VERY LONG')).toStrictEqual(['talk'])
    expect(await found('TALK')).toStrictEqual(['talk'])
    expect(await found('nowhere')).toStrictEqual([])
  })

  it(`reads nothing but an index to find one of ${MANY}, as the role of its domain`, async () => {
    const { database } = domain()
    const all = Array.from({ length: MANY }, (_, index) => characteristic(`c-${index}`, `Characteristic ${index}`))
    await applyAll(domain(), { characteristics: all })
    await database.statement('vacuum analyze records', [])
    const plans = await plansOf(domain(), (context) => search('c-4321', context))
    expect(plans.join('\n')).toMatch(/Index Only Scan using records_search on records/)
    expect(plans.join('\n')).not.toMatch(/Seq Scan|Bitmap/)
    const common = await search('characteristic')
    expect({ count: common.items.length, total: common.total }).toStrictEqual({ count: 50, total: MANY })
    // Counted no further than is told, no more is read either.
    const most = { mostCounted: 100 }
    expect((await search('characteristic', domain(), most)).total).toBe(101)
    const measured = 'analyze, costs off, timing off, summary off, buffers off'
    const read = await plansOf(domain(), (context) => search('characteristic', context, most), measured)
    const rows = [...read.join('\n').matchAll(/Scan (?:using|on).*\(actual rows=(\d+)/g)].map(([, count]) =>
      Number(count),
    )
    expect([rows.length > 1, Math.max(...rows)]).toStrictEqual([true, 101])
  })
})
