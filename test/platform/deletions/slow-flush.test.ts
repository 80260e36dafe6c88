import { expect, it } from 'vitest'
import type { Database } from '../../../src/db/sql.ts'
import { Datapoints } from '../../../src/platform/datapoints/datapoints.ts'
import { carryOutDeletion, previewDeletion } from '../../../src/platform/deletions/deletions.ts'
import type { Wanted } from '../../../src/platform/deletions/deletion-target.ts'
import { updateSystem } from '../../../src/platform/systems/systems.ts'
import { EVERYWHERE } from '../../../src/platform/systems/reach.ts'
import { historyOf } from '../datapoints/history.ts'
import { context, databases, sender, serve, site, useSite } from '../one-site.ts'

// A flush whose number was drawn before a preview reaches the database after it.

const NOON = Date.UTC(2026, 1, 20, 12)

useSite({ processes: 2, isAlone: false })

/** A server whose flushes wait while the gate is closed. They have their numbers already. */
async function slowServer() {
  const own = databases[1] as Database
  let gate = Promise.resolve()
  const arrivals: (() => void)[] = []
  const rowsApart: Database['rowsApart'] = async (shape, text, values) => {
    if (text.includes('store_flush')) {
      for (const arrive of arrivals.splice(0)) arrive()
      await gate
    }
    return own.rowsApart(shape, text, values)
  }
  const slow = new Datapoints({ ...context, database: { ...own, rowsApart }, isAlone: false })
  const fast = serve({ isAlone: false })
  // Both learn that the other one draws numbers, too. So each draws its next number before it sends the flush.
  for (const server of [slow, fast, slow, fast, slow]) await server.ingest.add(sender, [site.point('count', 1, NOON)])
  return {
    slow,
    async hold<T>(send: () => Promise<T>) {
      const opened = Promise.withResolvers<void>()
      gate = opened.promise
      const arrived = new Promise<void>((resolve) => arrivals.push(resolve))
      const sent = send()
      await arrived
      return { sent, open: opened.resolve }
    },
  }
}

const wanted = (): Wanted => ({
  kind: 'DATAPOINTS',
  series: { systems: [site.systemUuid], components: null, services: null, characteristics: ['temperature'] },
  from: null,
  to: null,
})

it('stays where it was stored after the preview, although its number was drawn before', async () => {
  const { slow, hold } = await slowServer()
  const add = (value: number, at: number) => slow.ingest.add(sender, [site.point('temperature', value, NOON + at)])
  await add(1, 0)
  const { sent, open } = await hold(() => add(2, 1))
  const { token, counts } = await previewDeletion(context, EVERYWHERE, wanted())
  expect(counts.datapoints).toBe(1)
  open()
  expect(await sent).toMatchObject({ stored: 1, errors: [] })
  await carryOutDeletion(context, EVERYWHERE, wanted(), token)
  expect((await historyOf(context))['Sensor 0 temperature']).toStrictEqual([[(NOON + 1) * 1_000, 2]])
  await slow.compactor.compact()
  await slow.erase()
  expect((await historyOf(context))['Sensor 0 temperature']).toStrictEqual([[(NOON + 1) * 1_000, 2]])
  await slow.close()
})

it('of a system that is deleted meanwhile stores nothing', async () => {
  const { slow, hold } = await slowServer()
  const add = () => slow.ingest.add(sender, [site.point('temperature', 1, NOON)])
  const { sent, open } = await hold(add)
  await updateSystem(context, EVERYWHERE, site.systemUuid, { status: 'ARCHIVED' })
  const system: Wanted = { kind: 'SYSTEM', uuid: site.systemUuid }
  const { token } = await previewDeletion(context, EVERYWHERE, system)
  await carryOutDeletion(context, EVERYWHERE, system, token)
  open()
  expect(await sent).toMatchObject({ stored: 0, errors: [{ code: 'unknown-component' }] })
  expect(await historyOf(context)).toStrictEqual({})
  await slow.close()
})
