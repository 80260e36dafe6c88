import { expect, it } from 'vitest'
import { INT8 } from '../../../../src/db/columns.ts'
import { Datapoints } from '../../../../src/platform/datapoints/datapoints.ts'
import { forgetDomains, noteDomains } from '../../../../src/store/datapoints/arriving/domains-of-buffers.ts'
import { countingDatabase } from '../../../support/counting-database.ts'
import { POSTGRES } from '../../../support/databases.ts'
import { makeDomain } from '../../../support/domain.ts'
import { makeSite } from '../../../support/site.ts'
import { oneDomain } from '../../one-domain.ts'
import { historyOf } from '../history.ts'

// A server with points of many domains and requests at once.

const context = oneDomain(POSTGRES)

it('gives points without a timestamp the present time, however many domains begin to send', async () => {
  const { database } = context()
  const datapoints = new Datapoints({ ...context(), database, isAlone: true })
  const begin = Date.now()
  for (let domain = 0; domain < 110; domain++) {
    const own = await makeDomain(database, `domain-${domain}`)
    const site = await makeSite(own)
    await datapoints.ingest.add({ domainId: own.domain.id, actor: 'tester', systemUuid: null, units: null }, [
      site.point('count', 1),
    ])
  }
  const rows = await database.rows({ at: INT8 }, 'select max(t1) as at from datapoints_hot')
  expect((rows[0]?.at ?? Infinity) / 1_000 - begin).toBeLessThan(Date.now() - begin + 1_000)
  await datapoints.close()
})

it('takes at most 500 locks in a flush, for domains and keys together', async () => {
  const locks: number[] = []
  const counting = countingDatabase(context().database, ({ text, values }) => {
    if (text.includes('from store_flush'))
      locks.push(
        [values[1], values[8]].reduce<number>(
          (sum, one, index) => sum + (Array.isArray(one) ? one.length / (index === 0 ? 1 : 5) : 0),
          0,
        ),
      )
  })
  const site = await makeSite(context())
  const datapoints = new Datapoints({ ...context(), database: counting, isAlone: true })
  const sender = { domainId: context().domain.id, actor: 'tester', systemUuid: null, units: null }
  const sent = Array.from({ length: 1_200 }, (_, number) =>
    datapoints.ingest.add(sender, [site.point('count', number, 1_760_000_000_000 + number)], {
      idempotency: { key: String(number), digest: Uint8Array.of(1) },
    }),
  )
  expect((await Promise.all(sent)).every(({ stored }) => stored === 1)).toBe(true)
  expect(Math.max(...locks)).toBeLessThanOrEqual(500)
  expect(Object.values(await historyOf(context()))).toMatchObject([{ length: 1_200 }])
  await datapoints.close()
})

it('forgets the domains of a buffer in a moment, even if tens of thousands are noted', async () => {
  const { database } = context()
  const domains = Array.from({ length: 40_000 }, (_, id) => id + 1_000_000)
  await noteDomains(database, 999_999, domains)
  const [row] = await database.transaction(async (sql) => {
    await sql.setLocal({ plan_cache_mode: 'force_generic_plan', statement_timeout: '15s' })
    await forgetDomains(sql, 999_999, domains.slice(1))
    return sql.rows({ left: INT8 }, 'select count(*) as left from domains_of_buffers where buffer = 999999')
  })
  expect(row?.left).toBe(domains.length - 1)
  await database.statement('delete from domains_of_buffers where buffer = 999999')
})
