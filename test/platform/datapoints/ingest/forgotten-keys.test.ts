import { expect, it } from 'vitest'
import { INT8 } from '../../../../src/db/columns.ts'
import { Datapoints } from '../../../../src/platform/datapoints/datapoints.ts'
import { countingDatabase } from '../../../support/counting-database.ts'
import { POSTGRES } from '../../../support/databases.ts'
import { rowsRead } from '../../../support/rows-read.ts'
import { forgetSomeKeys } from '../../../../src/store/datapoints/arriving/idempotency-keys.ts'
import { oneDomain } from '../../one-domain.ts'

const domain = oneDomain(POSTGRES)
const FORGETS = 'delete from idempotency_keys'

/** Keys as old as this, with numbers from 1 on. */
async function addKeys(actor: string, count: number, hours: number): Promise<void> {
  await domain().database.statement(
    `insert into idempotency_keys (domain_id, actor, key, digest, at, created_at)
     select $1, $2, n::text, '\\x01', 0, now() - make_interval(hours => $4) from generate_series(1, $3) n`,
    [domain().domain.id, actor, count, hours],
  )
}

async function countKeys(): Promise<number | undefined> {
  const [row] = await domain().database.rows({ keys: INT8 }, 'select count(*) as keys from idempotency_keys')
  return row?.keys
}

it('old keys are forgotten in steps that have time and leave out what others hold', async () => {
  const { database } = domain()
  await addKeys('old', 25_000, 25)
  await addKeys('young', 10, 23)
  const [busy, patient] = [countingDatabase(database), countingDatabase(database)]
  const datapoints = new Datapoints({ ...domain(), database: busy, patient, isAlone: false })
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = database.transaction(async (sql) => {
    await sql.query(`update idempotency_keys set answer = 'a' where key = '7'`)
    held.resolve()
    await released.promise
  })
  await held.promise
  await datapoints.tidy()
  expect(await countKeys()).toBe(11)
  expect(busy.statements.filter((text) => text.includes(FORGETS))).toHaveLength(0)
  expect(patient.statements.filter((text) => text.includes(FORGETS))).toHaveLength(3)
  released.resolve()
  await holding
  await datapoints.tidy()
  expect(await countKeys()).toBe(10)
  await datapoints.close()
})

it('young keys are not looked at', async () => {
  const { database } = domain()
  await addKeys('young', 20_000, 1)
  await addKeys('old', 10, 25)
  await database.script('analyze idempotency_keys')
  const forget = (own: Parameters<typeof forgetSomeKeys>[0]) => forgetSomeKeys(own, domain().domain.id, 24, 100)
  expect(await database.transaction((sql) => rowsRead(sql, 'idempotency_keys', forget))).toBeLessThanOrEqual(30)
})
