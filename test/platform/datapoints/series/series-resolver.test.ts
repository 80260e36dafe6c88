import { expect, it } from 'vitest'
import { Datapoints } from '../../../../src/platform/datapoints/datapoints.ts'
import { countingDatabase } from '../../../support/counting-database.ts'
import { POSTGRES } from '../../../support/databases.ts'
import { makeSite } from '../../../support/site.ts'
import { oneDomain } from '../../one-domain.ts'

// How many look-ups of one domain are under way at once.

const DEVICES = 1_010
const context = oneDomain(POSTGRES)

const passed = async (condition: () => boolean) => {
  while (!condition()) await new Promise(setImmediate)
}
const someTurns = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
}

/** Sends as devices do, while the domain is locked until `release`. */
async function sendWhileLocked() {
  const { database, domain } = context()
  const site = await makeSite(context(), DEVICES)
  const counting = countingDatabase(database)
  const datapoints = new Datapoints({ ...context(), database: counting, isAlone: true })
  const count = (begin: string) => counting.statements.filter((text) => text.startsWith(begin)).length
  const { promise: isReleased, resolve } = Promise.withResolvers<void>()
  const { promise: isHeld, resolve: held } = Promise.withResolvers<void>()
  const holding = database.transaction(async (sql) => {
    await sql.query(`select domain_id from domain_state where domain_id = $1 for update`, [domain.id])
    held()
    await isReleased
  })
  await isHeld
  return {
    count,
    lookUps: () => count('select model_version as version, records_version'),
    send: (devices: readonly number[]) =>
      datapoints.ingest.add(
        { domainId: domain.id, actor: 'tester', systemUuid: null, units: null },
        devices.map((device) => site.point('count', device, 1_760_000_000_000, device)),
      ),
    release: async () => {
      resolve()
      await holding
    },
    close: () => datapoints.close(),
  }
}

it('few that come while a look-up is under way wait for more, and many do not wait', async () => {
  const { count, lookUps, send, release, close } = await sendWhileLocked()
  const results = [send([0])]
  await passed(() => count('select pg_advisory_xact_lock_shared') === 1)
  const before = lookUps()
  for (const device of [1, 2, 3]) {
    results.push(send([device]))
    await someTurns()
  }
  expect(lookUps()).toBe(before)
  results.push(send(Array.from({ length: DEVICES - 4 }, (_, index) => index + 4)))
  await passed(() => lookUps() === before + 1)
  await release()
  const stored = (await Promise.all(results)).map((result) => result.stored)
  expect(stored).toStrictEqual([1, 1, 1, 1, DEVICES - 4])
  expect(count('insert into series')).toBe(2)
  await close()
})

it('few do not wait until a look-up that waits for a lock has ended', async () => {
  const { count, lookUps, send, release, close } = await sendWhileLocked()
  const results = [send([0])]
  await passed(() => count('select pg_advisory_xact_lock_shared') === 1)
  const before = lookUps()
  results.push(send([1]))
  await passed(() => lookUps() === before + 1)
  await release()
  expect((await Promise.all(results)).map((result) => result.stored)).toStrictEqual([1, 1])
  await close()
})
