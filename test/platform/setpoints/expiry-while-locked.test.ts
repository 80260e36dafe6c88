import { expect, it } from 'vitest'
import { writeExpired } from '../../../src/store/setpoints/due-setpoints.ts'
import { setSetpoints } from '../../../src/platform/setpoints/set-setpoints.ts'
import { POSTGRES } from '../../support/databases.ts'
import { makeSettingSite } from '../../support/setting-site.ts'
import { oneDomain } from '../one-domain.ts'
import { allSetpoints, ANYBODY } from './support.ts'

const domain = oneDomain(POSTGRES)

it('expired setpoints that another transaction holds do not keep others from being written down', async () => {
  const { database } = domain()
  const site = await makeSettingSite(domain())
  const name = { component: site.thermostats[0], service: 'heating' }
  const components = [
    { ...name, characteristic: 'target', value: 21 },
    { ...name, characteristic: 'pump', value: true },
    { ...name, characteristic: 'limit', value: 7 },
  ]
  await setSetpoints(domain(), ANYBODY, { components, models: [], expiresIn: 'PT1H' })
  const later = new Date(Date.now() + 3_600_001)
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = database.transaction(async (sql) => {
    await sql.query(`select from setpoints where domain_id = $1 and value <> '7' for update`, [domain().domain.id])
    held.resolve()
    await released.promise
  })
  await held.promise
  // One at a time finds the one that is free, in whatever order they are.
  expect(await writeExpired(database, domain().domain.id, later, 1)).toBe(1)
  expect(await writeExpired(database, domain().domain.id, later, 1)).toBe(0)
  const written = async () => (await database.statement(`select value from setpoints where state = 'EXPIRED'`)).length
  expect(await written()).toBe(1)
  released.resolve()
  await holding
  expect(await writeExpired(database, domain().domain.id, later, 10)).toBe(2)
  expect(await written()).toBe(3)
  expect((await allSetpoints(domain())).map(({ state }) => state)).toStrictEqual(['EXPIRED', 'EXPIRED', 'EXPIRED'])
})
