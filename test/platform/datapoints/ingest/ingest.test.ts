import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { Datapoints } from '../../../../src/platform/datapoints/datapoints.ts'
import type { IngestOptions, IngestResult } from '../../../../src/platform/datapoints/ingest/sent-batch.ts'
import { updateRecord } from '../../../../src/platform/records/change-record.ts'
import { updateComponent } from '../../../../src/platform/systems/components.ts'
import { EVERYWHERE } from '../../../../src/platform/systems/reach.ts'
import { SAMPLED_DATABASES } from '../../../support/databases.ts'
import { historyOf } from '../history.ts'
import { context, datapoints, sender, site, useSite } from '../../one-site.ts'

const NOON = 1_760_000_000_000

const points = (from: number) => Array.from({ length: 3 }, (_, index) => site.point('temperature', from + index))

async function temperatures() {
  return (await historyOf(context))['Sensor 0 temperature']
}

function add(elements: readonly unknown[], options?: IngestOptions, to = datapoints): Promise<IngestResult> {
  return to.ingest.add(sender, elements, options)
}

describe.each(SAMPLED_DATABASES)('taking in datapoints on $name', (kind) => {
  useSite({ kind })

  it('stores values of every kind, and gives them back before and after they are folded', async () => {
    const sent = [
      site.point('temperature', 21.5, NOON),
      site.point('temperature', -0, NOON + 1),
      site.point('count', 7, NOON),
      site.point('count', '9223372036854775807', NOON + 1),
      site.point('open', true, NOON),
      site.point('open', false, NOON + 1),
      site.point('note', '', NOON),
      site.point('note', 'Grüße 😀', NOON + 1),
      site.point('temperature', 5e-324, NOON, 1),
    ]
    const expected = {
      'Sensor 0 count': [
        [NOON * 1_000, 7n],
        [(NOON + 1) * 1_000, 9_223_372_036_854_775_807n],
      ],
      'Sensor 0 note': [
        [NOON * 1_000, ''],
        [(NOON + 1) * 1_000, 'Grüße 😀'],
      ],
      'Sensor 0 open': [
        [NOON * 1_000, 1],
        [(NOON + 1) * 1_000, 0],
      ],
      'Sensor 0 temperature': [
        [NOON * 1_000, 21.5],
        [(NOON + 1) * 1_000, -0],
      ],
      'Sensor 1 temperature': [[NOON * 1_000, 5e-324]],
    }
    expect(await add(sent)).toMatchObject({ stored: 9, errorCount: 0 })
    expect(await historyOf(context)).toStrictEqual(expected)
    await datapoints.compactor.compact()
    expect(await historyOf(context)).toStrictEqual(expected)
  })

  it('the last write wins, wherever the one before it is by now', async () => {
    await add([site.point('temperature', 1, NOON), site.point('temperature', 2, NOON)])
    expect(await temperatures()).toStrictEqual([[NOON * 1_000, 2]])
    await add([site.point('temperature', 3, NOON)])
    await datapoints.compactor.compact()
    expect(await temperatures()).toStrictEqual([[NOON * 1_000, 3]])
    await add([site.point('temperature', 4, NOON)])
    expect(await temperatures()).toStrictEqual([[NOON * 1_000, 4]])
    await datapoints.compactor.compact()
    expect(await temperatures()).toStrictEqual([[NOON * 1_000, 4]])
  })

  it('a batch with one error is not stored at all, and says where it is', async () => {
    const nowhere = randomUUID()
    const good = site.point('percent', 50, NOON)
    const bad = [
      [{ ...good, value: 101 }, 'value', 'out-of-bounds'],
      [{ ...good, value: '50' }, 'value', 'wrong-type'],
      [{ ...good, value: null }, 'value', 'null-value'],
      [{ ...good, system_uuid: nowhere }, 'system_uuid', 'unknown-system'],
      [{ ...good, component_uuid: nowhere }, 'component_uuid', 'unknown-component'],
      [{ ...good, service_uuid: nowhere }, 'service_uuid', 'unknown-service'],
      [{ ...good, characteristic_uuid: nowhere }, 'characteristic_uuid', 'unknown-characteristic'],
      [{ ...good, characteristic_uuid: good.service_uuid }, null, 'not-supported'],
      [{ ...good, timestamp: 'yesterday' }, 'timestamp', 'timestamp-format'],
      [{ ...good, timestamp: Date.now() + 700_000 }, 'timestamp', 'timestamp-ahead'],
      [{ ...good, unit: 'C' }, 'unit', 'unknown-field'],
      [42, null, 'wrong-type'],
    ] as const
    const result = await add([good, ...bad.map(([element]) => element)])
    expect(result).toMatchObject({ stored: 0, errorCount: bad.length })
    expect(result.errors.map(({ pointer, code }) => [pointer, code])).toStrictEqual(
      bad.map(([, field, code], index) => [field === null ? `/${index + 1}` : `/${index + 1}/${field}`, code]),
    )
    expect(Object.values(await historyOf(context)).flat()).toStrictEqual([])
    const lenient = await add([good, ...bad.map(([element]) => element)], { lenient: true })
    expect(lenient).toMatchObject({ stored: 1, errorCount: bad.length })
    expect((await historyOf(context))['Sensor 0 percent']).toStrictEqual([[NOON * 1_000, 50]])
  })

  it('lists a hundred errors and counts all', async () => {
    const result = await add(Array.from({ length: 250 }, () => site.point('open', 1)))
    expect(result.errors).toHaveLength(100)
    expect(result.errorCount).toBe(250)
  })

  it('uuids in capital letters are the same', async () => {
    const { value, timestamp, ...uuids } = site.point('temperature', 1, NOON)
    const loud = Object.fromEntries(Object.entries(uuids).map(([field, uuid]) => [field, String(uuid).toUpperCase()]))
    await add([{ ...loud, value, timestamp }, site.point('temperature', 2, NOON)])
    expect(await historyOf(context)).toStrictEqual({ 'Sensor 0 temperature': [[NOON * 1_000, 2]] })
  })

  it('an account that is bound to a system writes to no other, and learns nothing of it', async () => {
    const bound = { domainId: context.domain.id, actor: 'device', systemUuid: randomUUID(), units: null }
    const other = { ...site.point('temperature', 1), component_uuid: randomUUID() }
    const { errors } = await datapoints.ingest.add(bound, [site.point('temperature', 1), other])
    await add([site.point('temperature', 1)])
    const again = await datapoints.ingest.add(bound, [site.point('temperature', 1)])
    expect([...errors, ...again.errors].map(({ pointer, code }) => [pointer, code])).toStrictEqual([
      ['/0/system_uuid', 'not-allowed'],
      ['/1/system_uuid', 'not-allowed'],
      ['/0/system_uuid', 'not-allowed'],
    ])
    await expect(
      datapoints.ingest.add({ ...bound, systemUuid: site.systemUuid, units: null }, [site.point('temperature', 1)]),
    ).resolves.toMatchObject({ stored: 1 })
  })

  it('a changed definition counts from the next batch on, in every process', async () => {
    const other = new Datapoints({ ...context, isAlone: false })
    const allowed = ['invalidates-data'] as const
    const outcomes = async (value: unknown) =>
      (await Promise.all([add([site.point('percent', value)]), add([site.point('percent', value)], {}, other)])).map(
        ({ errors }) => errors[0]?.code ?? 'stored',
      )
    expect(await outcomes(50)).toStrictEqual(['stored', 'stored'])
    await updateRecord(context, 'characteristics', 'percent', { boundaryMax: 40 }, allowed)
    expect(await outcomes(50)).toStrictEqual(['out-of-bounds', 'out-of-bounds'])
    await updateRecord(context, 'characteristics', 'percent', { boundaryMax: 60 }, allowed)
    expect(await outcomes(50)).toStrictEqual(['stored', 'stored'])
    await updateRecord(
      context,
      'characteristics',
      'percent',
      { dataType: 'STRING', boundaryMin: null, boundaryMax: null },
      allowed,
    )
    expect(await outcomes(50)).toStrictEqual(['wrong-type', 'wrong-type'])
    expect(await outcomes('half')).toStrictEqual(['stored', 'stored'])
    await updateComponent(context, EVERYWHERE, site.componentUuids[0] ?? '', { status: 'ARCHIVED' })
    expect(await outcomes('half')).toStrictEqual(['archived', 'archived'])
    await other.close()
  })

  it('points without a timestamp have the time of arrival, one for the batch and another one for the next', async () => {
    const before = Date.now() * 1_000
    await add([site.point('temperature', 1), site.point('count', 1)])
    await Promise.all([add([site.point('temperature', 2)]), add([site.point('temperature', 3)])])
    const { 'Sensor 0 temperature': temperature = [], 'Sensor 0 count': count } = await historyOf(context)
    expect(temperature.map(([, value]) => value)).toStrictEqual([1, 2, 3])
    expect(count?.[0]?.[0]).toBe(temperature[0]?.[0])
    expect(temperature[0]?.[0]).toBeGreaterThanOrEqual(before)
  })

  it('those of one series in one batch are all kept, in their order, and before those of the next batch', async () => {
    const values = Array.from({ length: 500 }, (_, index) => index)
    const batch = (from: number) => values.slice(from, from + 100).map((value) => site.point('temperature', value))
    await add(batch(0))
    await Promise.all([100, 200, 300, 400].map((from) => add(batch(from))))
    expect((await temperatures())?.map(([, value]) => value)).toStrictEqual(values)
    await datapoints.compactor.compact()
    expect((await temperatures())?.map(([, value]) => value)).toStrictEqual(values)
  })

  it('a sender with many points without a timestamp does not move the times of other series', async () => {
    const clocked = new Datapoints({ ...context, isAlone: true, now: () => new Date(NOON) })
    const many = Array.from({ length: 300 }, (_, index) => site.point('temperature', index))
    for (const from of [0, 100, 200]) {
      await add(many.slice(from, from + 100), {}, clocked)
      await add([site.point('count', from)], {}, clocked)
    }
    await clocked.close()
    const { 'Sensor 0 temperature': temperature = [], 'Sensor 0 count': count = [] } = await historyOf(context)
    expect(temperature.map(([, value]) => value)).toStrictEqual(many.map(({ value }) => value))
    expect(count.map(([at]) => Math.floor(Number(at) / 1_000) - NOON)).toStrictEqual([0, 0, 0])
  })

  it('points without a timestamp have the right time again after the clock was wrong', async () => {
    let time = NOON
    const clocked = new Datapoints({ ...context, isAlone: true, now: () => new Date(time) })
    for (const [index, at] of [NOON, NOON + 365 * 86_400_000, NOON + 10, NOON + 5].entries()) {
      time = at
      await add([site.point('temperature', index)], {}, clocked)
    }
    await clocked.close()
    const found = (await temperatures()) ?? []
    expect(found.map(([at, value]) => [Math.floor(Number(at) / 1_000) - NOON, value])).toStrictEqual([
      [0, 0],
      [10, 2],
      // Set back a little: still after what came before.
      [10, 3],
      [365 * 86_400_000, 1],
    ])
  })

  it('no time of arrival is given twice, whatever the clocks of several processes and of those after them say', async () => {
    const clocks = [0, 0, -30_000, 3_600_000, -7_200_000, 0, 5, -1].map((ms) => NOON + ms)
    for (const time of clocks) {
      const one = new Datapoints({ ...context, isAlone: false, now: () => new Date(time) })
      const other = new Datapoints({ ...context, isAlone: false, now: () => new Date(time) })
      for (const from of [0, 3]) await Promise.all([add(points(from), {}, one), add(points(from), {}, other)])
      await one.close()
      await other.close()
    }
    expect(await temperatures()).toHaveLength(clocks.length * 12)
  })

  it('of two points of one series and time the later one stays, and it is told how many went', async () => {
    const [first, second, third] = [1, 2, 3].map((value) => site.point('temperature', value, NOON))
    const later = site.point('temperature', 4, NOON + 1)
    expect(await add([first, later, second, third, site.point('count', 1, NOON)])).toMatchObject({
      stored: 3,
      overwritten: 2,
    })
    expect((await temperatures())?.map(([, value]) => value)).toStrictEqual([3, 4])
    expect(await add([later, first])).toMatchObject({ stored: 2, overwritten: 0 })
  })

  it('a strict client is told of both places', async () => {
    const wrong = { ...site.point('count', 0.5, NOON) }
    const [first, second] = [1, 2].map((value) => site.point('temperature', value, NOON))
    const { errors, ...result } = await add([wrong, first, site.point('count', 1, NOON), second], { strict: true })
    expect(result).toMatchObject({ stored: 0, errorCount: 2 })
    expect(errors.map(({ pointer, code, sameAs }) => [pointer, code, sameAs])).toStrictEqual([
      ['/0/value', 'wrong-type', undefined],
      ['/3/timestamp', 'repeated-timestamp', '/1/timestamp'],
    ])
    expect(await add([first, site.point('temperature', 2, NOON + 1)], { strict: true })).toMatchObject({ stored: 2 })
  })

  it('nothing is as good as something', async () => {
    expect(await add([])).toMatchObject({ stored: 0, errorCount: 0 })
  })

  it('more than can be folded is refused for a while', async () => {
    const small = new Datapoints({ ...context, isAlone: false, limits: { mostHotPoints: 2 } })
    await add([site.point('temperature', 1, NOON), site.point('temperature', 1, NOON + 1)], {}, small)
    await expect(add([site.point('temperature', 1)], {}, small)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await small.compactor.compact()
    expect(await add([site.point('temperature', 1)], {}, small)).toMatchObject({ stored: 1 })
    await small.close()
  })
})
