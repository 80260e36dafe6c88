import { AsyncResource } from 'node:async_hooks'
import { beforeEach, describe, expect, it } from 'vitest'
import { ENOUGH_POINTS } from '../../../src/datapoints/segments/divide-points.ts'
import { readDatapoints, readLatest } from '../../../src/platform/datapoints/reading/read-datapoints.ts'
import { readingQuery } from '../../../src/platform/datapoints/reading/reading-query.ts'
import { applyImport } from '../../../src/platform/imports/applying/apply-import.ts'
import { expireDatapoints } from '../../../src/platform/datapoints/retention/expire.ts'
import {
  clearRetention,
  listRetentions,
  setRetention,
} from '../../../src/platform/datapoints/retention/set-retention.ts'
import { planRollback } from '../../../src/platform/imports/applying/roll-back.ts'
import { NO_SETTINGS } from '../../../src/records/settings.ts'
import { listChunkMonths, monthOf } from '../../../src/store/datapoints/packed/partitions.ts'
import { countingDatabase } from '../../support/counting-database.ts'
import { SAMPLED_DATABASES } from '../../support/databases.ts'
import { acknowledging, applyAll, emptyDomain, makeDomain } from '../../support/domain.ts'
import { makeSite, SITE_MODEL, type CharacteristicCode } from '../../support/site.ts'
import { historyOf } from '../datapoints/history.ts'
import { context, database, datapoints, restart, senderOf, site, useSite } from '../one-site.ts'

const DAY_MS = 86_400_000
const TODAY = Date.UTC(2026, 10, 20)
const ANYBODY = { systemUuid: null, units: null }

async function shownDays(code: CharacteristicCode): Promise<number> {
  const name = { component: site.componentUuids[0] ?? '', service: 'room', characteristic: code }
  const query = readingQuery({}, context.now())
  const { reading } = await readDatapoints(context, ANYBODY, name, query, context.now())
  return reading.form === 'page' ? reading.points.length : -1
}

const set = (characteristic: string | null, keep: string | null, acknowledge = true) =>
  setRetention(context, { characteristic, keep, acknowledge })

function send(...elements: unknown[]) {
  return datapoints.ingest.add(
    { domainId: context.domain.id, actor: 'tester', systemUuid: null, units: null },
    elements,
  )
}

describe.each(SAMPLED_DATABASES)('retention on $name', (kind) => {
  /** By the clock of the platform. */
  let clock = TODAY + DAY_MS / 2
  useSite({ kind, now: () => new Date(clock), limits: { leastOfChunk: 1 } })
  beforeEach(() => void (clock = TODAY + DAY_MS / 2))

  /** One point at noon of each day that lies so many days back. */
  async function sendDays(code: CharacteristicCode, ...daysBack: number[]): Promise<void> {
    const sent = await send(...daysBack.map((days) => site.point(code, days, TODAY - (days - 0.5) * DAY_MS)))
    expect(sent).toMatchObject({ stored: daysBack.length, errorCount: 0 })
    await datapoints.compactor.compact()
  }

  async function storedDays(code: CharacteristicCode): Promise<number[]> {
    const points = (await historyOf(context))[`Sensor 0 ${code}`] ?? []
    return points.map(([at]) => Math.ceil((TODAY - at / 1000) / DAY_MS) + 1)
  }

  it('is for ever, until somebody says otherwise', async () => {
    expect(await listRetentions(context)).toStrictEqual([
      {
        characteristicUuid: null,
        characteristic: null,
        keep: null,
        earliest: null,
        changedBy: null,
        changedAt: null,
      },
    ])
    await sendDays('temperature', 0, 400, 19_000)
    await datapoints.expire()
    expect(await storedDays('temperature')).toHaveLength(3)
  })

  it('says what a change would cost, and does nothing unless that is acknowledged', async () => {
    await sendDays('temperature', 0, 9, 10, 11, 50)
    for (const _ of ['once', 'and the same again']) await send(site.point('percent', 1, TODAY - 60 * DAY_MS))
    await expect(set(null, 'P10D', false)).rejects.toMatchObject({
      code: 'BLOCKED',
      message: expect.stringContaining('3 datapoints from before 2026-11-10T00:00:00.000Z would be deleted'),
      details: [{ code: 'deletes-data', datapoints: 3, before: '2026-11-10T00:00:00.000Z' }],
    })
    expect(await listRetentions(context)).toMatchObject([{ keep: null }])
    expect(await set(null, 'P10D')).toMatchObject({ datapoints: 3, retention: { keep: 'P10D', changedBy: 'tester' } })
    // Nothing is left to lose, so nothing is to be acknowledged.
    expect(await set(null, 'P10D', false)).toMatchObject({ datapoints: 0 })
    expect(await set(null, 'P20D', false)).toMatchObject({ datapoints: 0 })
  })

  it('takes nothing of a series that is first seen while others expire', async () => {
    // With one connection there is no meanwhile.
    if (database.isSingle === true) return
    await sendDays('percent', 0, 20)
    await set('percent', 'P10D')
    let isFirst = true
    // As another process would: outside of the transaction that is open at that moment.
    const sendOthers = AsyncResource.bind(() => sendDays('temperature', 0, 30))
    const slow = countingDatabase(database, async ({ text }) => {
      if (!isFirst || !/from datapoint_blocks\b.*for update skip locked/s.test(text)) return
      isFirst = false
      await sendOthers()
    })
    await expireDatapoints(slow, clock * 1_000)
    expect(isFirst).toBe(false)
    expect(await storedDays('percent')).toHaveLength(1)
    expect(await storedDays('temperature')).toHaveLength(2)
  })

  it('of a characteristic wins over that of the domain, longer or shorter', async () => {
    for (const code of ['temperature', 'percent', 'count'] as const) await sendDays(code, 0, 5, 15, 25)
    await set('percent', 'P3W')
    await set('temperature', null)
    expect(await set(null, 'P10D')).toMatchObject({ datapoints: 2 })
    await datapoints.expire()
    expect(await storedDays('temperature')).toHaveLength(4)
    expect(await storedDays('percent')).toHaveLength(3)
    expect(await storedDays('count')).toHaveLength(2)
    const names = (await listRetentions(context)).map(({ characteristic, keep }) => [characteristic, keep])
    expect(names).toStrictEqual([
      [null, 'P10D'],
      ['percent', 'P3W'],
      ['temperature', null],
    ])
  })

  it('can be taken away from a characteristic, which costs what the domain does not keep', async () => {
    await set(null, 'P10D')
    const { retention } = await set('temperature', null)
    await sendDays('temperature', 0, 15, 25)
    const clear = (acknowledge: boolean) =>
      clearRetention(context, { characteristic: retention.characteristicUuid ?? '', acknowledge })
    await expect(clear(false)).rejects.toMatchObject({ code: 'BLOCKED', details: [{ datapoints: 2 }] })
    expect(await clear(true)).toMatchObject({ datapoints: 2, retention: { characteristic: null, keep: 'P10D' } })
    await datapoints.expire()
    expect(await storedDays('temperature')).toHaveLength(1)
  })

  it('ends at the beginning of a day (UTC): nothing of it is kept half', async () => {
    const limit = TODAY - 10 * DAY_MS
    await send(...[-DAY_MS, -1, 0, 1, DAY_MS].map((ms) => site.point('temperature', ms, limit + ms)))
    await datapoints.compactor.compact()
    await set(null, 'P10D')
    await datapoints.expire()
    expect((await historyOf(context))['Sensor 0 temperature']?.map(([, value]) => value)).toStrictEqual([0, 1, DAY_MS])
  })

  it('shows nothing older from the moment on in which it is set, whenever that is deleted', async () => {
    await sendDays('temperature', 0, 5, 15)
    await sendDays('percent', 15)
    await set(null, 'P10D')
    expect(await shownDays('temperature')).toBe(2)
    const latest = await readLatest(context, ANYBODY, {}, { before: TODAY * 2000 })
    expect(latest.map(({ series: { characteristicKey } }) => characteristicKey)).toStrictEqual(['temperature'])
    clock += 6 * DAY_MS
    expect(await shownDays('temperature')).toBe(1)
    expect(await storedDays('temperature')).toHaveLength(3)
    await datapoints.expire()
    expect(await storedDays('temperature')).toHaveLength(1)
  })

  it('refuses what would be deleted at once, by name, from the next batch on and as the days go by', async () => {
    const old = site.point('temperature', 1, TODAY - 10 * DAY_MS)
    expect(await send(old)).toMatchObject({ stored: 1 })
    await set(null, 'P9D')
    const refused = {
      pointer: '/0/timestamp',
      code: 'timestamp-too-old',
      detail: expect.stringContaining('before 2026-11-11T00:00:00.000Z') as string,
    }
    expect(await send(old)).toMatchObject({ stored: 0, errors: [refused] })
    await set('temperature', 'P10D')
    expect(await send(old)).toMatchObject({ stored: 1 })
    clock += DAY_MS
    expect(await send(old)).toMatchObject({ stored: 0, errors: [{ code: 'timestamp-too-old' }] })
    expect(await send(site.point('temperature', 2))).toMatchObject({ stored: 1 })
  })

  it('drops the months of which nothing is left, and takes points of them again when they may come', async () => {
    await sendDays('temperature', 0, 100, 200)
    await datapoints.blockMerger.merge(Number.MAX_SAFE_INTEGER)
    const before = await database.read(listChunkMonths)
    await set(null, 'P150D')
    await datapoints.expire()
    const gone = monthOf((TODAY - 200 * DAY_MS) * 1000)
    expect(before).toContain(gone)
    const after = await database.read(listChunkMonths)
    expect(after).not.toContain(gone)
    expect(after).toContain(monthOf((TODAY - 100 * DAY_MS) * 1000))
    await set(null, null)
    await send(site.point('temperature', 1, TODAY - 200 * DAY_MS))
    await datapoints.compactor.compact()
    await datapoints.blockMerger.merge(Number.MAX_SAFE_INTEGER)
    expect(await storedDays('temperature')).toHaveLength(3)
  })

  it('takes rows of blocks that last up when the first of their points has expired for a month', async () => {
    restart({ limits: { leastOfChunk: ENOUGH_POINTS } })
    await sendDays('temperature', 0, 40, 80)
    await sendDays('percent', 70)
    await datapoints.blockMerger.merge(Number.MAX_SAFE_INTEGER)
    await set(null, 'P50D')
    expect(await shownDays('temperature')).toBe(2)
    await datapoints.expire()
    expect([await storedDays('temperature'), await storedDays('percent')].map(({ length }) => length)).toStrictEqual([
      3, 1,
    ])
    clock += 2 * DAY_MS
    await datapoints.expire()
    expect([await storedDays('temperature'), await storedDays('percent')].map(({ length }) => length)).toStrictEqual([
      2, 0,
    ])
    expect(await shownDays('temperature')).toBe(2)
  })

  it('takes up a row that would get the key of another row of its block', async () => {
    await sendDays('temperature', 0, 40)
    await database.statement(`insert into datapoint_blocks (domain_id, block, generation, t0, t1, arrived_at, level, count, series, points)
      select domain_id, block, generation, t1, t1, arrived_at, level, count, series, points from datapoint_blocks`)
    await set(null, 'P10D')
    await datapoints.expire()
    expect(await database.statement('select min(count) from datapoint_blocks')).toStrictEqual([{ min: 1 }])
  })

  it('expires the other rows of a block with a damaged one', async () => {
    for (const days of [40, 30]) await sendDays('temperature', days)
    await set(null, 'P10D')
    const first = `generation = (select min(generation) from datapoint_blocks)`
    await database.script(`update datapoint_blocks set points = '' where ${first}`)
    await expect(datapoints.expire()).rejects.toThrow('cannot be read')
    expect(await database.statement('select octet_length(points) as b from datapoint_blocks')).toStrictEqual([{ b: 0 }])
  })

  it('does the rest where a block of one domain is damaged, and says so in the end', async () => {
    const other = { ...(await makeDomain(database, 'other')), now: context.now }
    await emptyDomain(other)
    await datapoints.ingest.add(senderOf(other), [
      (await makeSite(other)).point('temperature', 1, TODAY - 100 * DAY_MS),
    ])
    await sendDays('temperature', 100)
    await datapoints.blockMerger.merge(Number.MAX_SAFE_INTEGER)
    await sendDays('temperature', 99)
    for (const one of [context, other])
      await setRetention(one, { characteristic: null, keep: 'P10D', acknowledge: true })
    await database.script(`update datapoint_blocks set points = ''`)
    await expect(datapoints.expire()).rejects.toThrow('is damaged')
    const counted = `select (select count(*) from datapoint_chunks) as chunks, (select count(*) from datapoint_blocks) as blocks`
    expect(await database.statement(counted)).toStrictEqual([{ chunks: 0, blocks: 1 }])
    await emptyDomain(other)
  })

  it('stops between two steps when it is told to', async () => {
    await sendDays('temperature', 100)
    await set(null, 'P10D')
    await datapoints.expire(AbortSignal.abort())
    expect(await storedDays('temperature')).toHaveLength(1)
  })

  it('is no part of the model: it stays when its characteristic goes, and holds when that comes back', async () => {
    await set('percent', 'P10D')
    const { services, ...model } = SITE_MODEL
    const [room, ...others] = services
    const without = {
      ...model,
      characteristics: model.characteristics.filter(({ code }) => code !== 'percent'),
      services: [
        { ...room, characteristics: room?.characteristics.filter(({ code }) => code !== 'percent') },
        ...others,
      ],
    }
    const { uuid } = await applyAll(context, without)
    expect(await listRetentions(context)).toHaveLength(1)
    const settings = acknowledging((await planRollback(context, uuid, NO_SETTINGS)).plan)
    const { plan } = await planRollback(context, uuid, settings)
    await applyImport(context, { document: {}, settings, plan, origin: { rollbackOf: uuid } })
    expect(await listRetentions(context)).toMatchObject([{ keep: null }, { keep: 'P10D' }])
  })

  it.each([
    ['what is no duration', 'temperature', 'ninety days', 'BAD_USER_INPUT'],
    ['hours', 'temperature', 'PT36H', 'BAD_USER_INPUT'],
    ['a characteristic that is not there', 'altitude', 'P1D', 'NOT_FOUND'],
    ['a service', 'room', 'P1D', 'NOT_FOUND'],
  ])('refuses %s', async (_, characteristic, keep, code) => {
    await expect(set(characteristic, keep)).rejects.toMatchObject({ code })
  })
})
