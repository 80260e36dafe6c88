import { beforeEach, expect, it } from 'vitest'
import { Datapoints } from '../../../src/platform/datapoints/datapoints.ts'
import { POSTGRES } from '../../support/databases.ts'
import { makeSettingSite, type SettingSite } from '../../support/setting-site.ts'
import { oneDomain } from '../one-domain.ts'
import { add, statesOf } from './support.ts'

// An apply or another server holds a setpoint while devices report.

const domain = oneDomain(POSTGRES)
let site: SettingSite
beforeEach(async () => {
  site = await makeSettingSite(domain())
  await add(domain(), site.element('target', 21), site.element('pump', true))
})

/** Holds the setpoint of the target in another transaction. */
async function holdTarget(): Promise<() => Promise<void>> {
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const ended = domain().database.transaction(async (sql) => {
    await sql.query(`select from setpoints where domain_id = $1 and value = '21' for update`, [domain().domain.id])
    held.resolve()
    await released.promise
  })
  await held.promise
  return async () => {
    released.resolve()
    await ended
  }
}

function server(longestLockMs: number): Datapoints {
  return new Datapoints({ ...domain(), isAlone: true, limits: { longestLockMs } })
}

function report(to: Datapoints, code: 'target' | 'pump', value: unknown, key?: string) {
  const who = { domainId: domain().domain.id, actor: 'device', systemUuid: null, units: null }
  const idempotency = key === undefined ? {} : { idempotency: { key, digest: Uint8Array.of(1) } }
  return to.ingest.add(who, [site.element(code, value)], idempotency)
}

it('a batch waits for the setpoint that it reports, and no other batch does', async () => {
  const datapoints = server(60_000)
  const release = await holdTarget()
  let isTold = false
  const waiting = report(datapoints, 'target', 21).finally(() => (isTold = true))
  expect(await report(datapoints, 'pump', true)).toMatchObject({ stored: 1 })
  expect(await report(datapoints, 'pump', false)).toMatchObject({ stored: 1 })
  expect(isTold).toBe(false)
  expect((await statesOf(domain())).toSorted()).toStrictEqual(['pump true APPLIED', 'target 21 PENDING'])
  await release()
  expect(await waiting).toMatchObject({ stored: 1 })
  expect((await statesOf(domain())).toSorted()).toStrictEqual(['pump true APPLIED', 'target 21 APPLIED'])
  await datapoints.close()
})

it.each([undefined, 'a key'])('a batch that has waited enough is told that its points are stored (%s)', async (key) => {
  const datapoints = server(0)
  const release = await holdTarget()
  const refusal = { code: 'UNAVAILABLE', message: expect.stringContaining('are stored') as string }
  await expect(report(datapoints, 'target', 21, key)).rejects.toMatchObject(refusal)
  expect(datapoints.load.stored).toBe(1)
  // So does its retry.
  await expect(report(datapoints, 'target', 21, key)).rejects.toMatchObject(refusal)
  await release()
  expect(await report(datapoints, 'target', 21, key)).toMatchObject({ stored: 1 })
  expect(datapoints.load.stored).toBe(key === undefined ? 3 : 1)
  expect(await statesOf(domain())).toContain('target 21 APPLIED')
  await datapoints.close()
})
