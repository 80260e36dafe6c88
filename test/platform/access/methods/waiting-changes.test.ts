import { expect, it } from 'vitest'
import { openPostgres } from '../../../../src/db/postgres/postgres.ts'
import { changeAccess } from '../../../../src/platform/change-domain.ts'
import { createPostgresDatabase } from '../../../support/databases.ts'
import { makeDomain } from '../../../support/domain.ts'
import { MIGRATED_TEMPLATE } from '../../../support/global-setup.ts'
import { countWaiting } from '../../../support/lock-waits.ts'

it('whoever waits for a change of ways to sign in has no connection, and waits for no change of the model', async () => {
  const postgres = await createPostgresDatabase(MIGRATED_TEMPLATE)
  const [database, other] = await Promise.all(
    [3, 1].map((maxConnections) => openPostgres(postgres.url, { maxConnections })),
  )
  const context = await makeDomain(database!)
  const done: number[] = []
  const changes = await changeAccess({ ...context, database: other! }, async () => {
    const waiting = Array.from({ length: 20 }, (_, index) => changeAccess(context, async () => void done.push(index)))
    await expect.poll(() => countWaiting(database!), { interval: 20 }).toBe(1)
    expect(database!.load?.()).toMatchObject({ waiting: 19 })
    return { waiting }
  })
  await Promise.all(changes.waiting)
  expect(done).toStrictEqual(Array.from({ length: 20 }, (_, index) => index))
  await Promise.all([database!.close(), other!.close()])
  await postgres.drop()
})
