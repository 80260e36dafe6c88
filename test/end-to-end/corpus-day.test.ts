import { encode } from '@msgpack/msgpack'
import { isDeepStrictEqual } from 'node:util'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Characteristic, Plain } from '../corpus/document.ts'
import { readCorpus } from '../corpus/frozen.ts'
import { HOSTS, TOKEN } from '../server/test-server.ts'
import { SAMPLED_DATABASES } from '../support/databases.ts'
import { applyAll } from '../support/domain.ts'
import type { SentPoint } from '../support/site.ts'
import { DAY_MS, dayOf, seeded } from './corpus-day-values.ts'
import { context, server, useServer } from '../server/one-server.ts'

// A day of a few houses full of real devices. The model is that of hundreds of devices, some of them are components.
// Their values are sent over HTTP, out of order and partly twice.

const SYSTEMS = 4
const COMPONENTS = 28
const BATCH = 5_000
const START = Date.UTC(2026, 2, 28)

const { current: document } = readCorpus()
const characteristics = new Map(document.characteristics.map((one) => [one.code, one]))

interface Series {
  readonly name: string
  readonly uuids: Pick<SentPoint, 'system_uuid' | 'component_uuid' | 'service_uuid' | 'characteristic_uuid'>
  readonly characteristic: Characteristic
  /** What was sent, in the order of time. */
  readonly points: readonly { readonly timestamp: string; readonly value: Plain }[]
}

/** As GraphQL gives it. */
interface Made {
  readonly uuid: string
  readonly systemUuid: string
  readonly supports: readonly {
    readonly serviceUuid: string
    readonly characteristicUuid: string
    readonly characteristic: string
  }[]
}

async function send(points: readonly SentPoint[], index: number): Promise<void> {
  const isPacked = index % 2 === 0
  const body = isPacked ? encode(points) : JSON.stringify(points)
  const answer = await server.call({
    path: '/rest/v1/data-points/add',
    body: index % 3 === 0 ? gzipSync(body) : body,
    headers: {
      'content-type': isPacked ? 'application/vnd.msgpack' : 'application/json',
      ...(index % 3 === 0 && { 'content-encoding': 'gzip' }),
    },
  })
  expect([answer.status, answer.text]).toStrictEqual([201, ''])
}

/** Of models from the whole library. */
async function makeComponents(): Promise<Made[]> {
  const models = document.componentModels.filter(
    (_, index) => index % Math.floor(document.componentModels.length / COMPONENTS) === 0,
  )
  const systems: string[] = []
  for (let index = 0; index < SYSTEMS; index++) {
    const made = await server.data<{ createSystem: { uuid: string } }>(
      'mutation ($name: String!) { createSystem(input: { name: $name }) { uuid } }',
      { name: `House ${index}` },
    )
    systems.push(made.createSystem.uuid)
  }
  const input = models.map(({ code, name }, index) => ({
    system: systems[index % SYSTEMS],
    componentModel: code,
    name,
  }))
  const { createComponents } = await server.data<{ createComponents: Made[] }>(
    `mutation ($input: [ComponentInput!]!) { createComponents(input: $input) {
       uuid systemUuid supports { serviceUuid characteristicUuid characteristic } } }`,
    { input },
  )
  return createComponents
}

describe.each(SAMPLED_DATABASES)('a day of zigbee devices on $name', (kind) => {
  let all: Series[]

  useServer({ kind })
  beforeAll(async () => {
    await applyAll(context, document)
    all = (await makeComponents()).flatMap(seriesOf)
  }, 240_000)

  /** `service characteristic` of a component → its points, from a file of each system. */
  async function readAll(): Promise<Map<string, { timestamp: string; value: unknown }[]>> {
    const read = new Map<string, { timestamp: string; value: unknown }[]>()
    for (const system of new Set(all.map(({ uuids }) => uuids.system_uuid))) {
      const response = await fetch(`${server.url}/rest/v1/data-points?system_uuid=${system}`, {
        headers: { host: HOSTS.first, authorization: `Bearer ${TOKEN}`, accept: 'application/x-ndjson' },
      })
      for (const line of (await response.text()).trimEnd().split('\n')) {
        const point = JSON.parse(line) as SentPoint & { timestamp: string }
        const name = nameOf(point)
        const list = read.get(name) ?? []
        if (list.length === 0) read.set(name, list)
        list.push({ timestamp: point.timestamp, value: point.value })
      }
    }
    return read
  }

  /** The series that do not read back as they were sent; the values of all are plain JSON. */
  async function differences(): Promise<unknown[]> {
    const read = await readAll()
    const wrong = all.filter(({ name, points }) => !isDeepStrictEqual(read.get(name), points))
    return read.size === all.length ? wrong.map(({ characteristic }) => characteristic) : [read.size, 'series']
  }

  it('is of thousands of records, and of every data type that they have', () => {
    expect(all.reduce((sum, { points }) => sum + points.length, 0)).toBeGreaterThan(15_000)
    expect(document.characteristics.length).toBeGreaterThan(1_000)
    expect(new Set(all.map(({ characteristic }) => characteristic.dataType))).toStrictEqual(
      new Set(document.characteristics.map(({ dataType }) => dataType)),
    )
    expect(all.length).toBeGreaterThan(200)
  })

  it('goes in, in any order and partly twice, and reads back equal', async () => {
    const random = seeded('order')
    const points = all.flatMap(({ uuids, points: own }) => own.map((point): SentPoint => ({ ...uuids, ...point })))
    const again = points.filter(() => random() < 0.1)
    const shuffled = [...points, ...again]
      .map((point) => [random(), point] as const)
      .sort(([one], [other]) => one - other)
      .map(([, point]) => point)
    const batches = Array.from({ length: Math.ceil(shuffled.length / BATCH) }, (_, index) =>
      shuffled.slice(index * BATCH, (index + 1) * BATCH),
    )
    for (const [index, batch] of batches.entries()) {
      await send(batch, index)
      // So that a series is in several chunks, and in what is not packed yet.
      if (index % 3 === 1) await server.datapoints.compactor.compact()
    }
    expect(await differences()).toStrictEqual([])
  })

  it('reads back equal when all of it is packed and merged', async () => {
    await server.datapoints.compactor.compact()
    expect(await differences()).toStrictEqual([])
    await server.datapoints.merger.sweep()
    while (await server.datapoints.merger.merge(Number.MAX_SAFE_INTEGER));
    expect(await differences()).toStrictEqual([])
  })

  it('has the figures of every hour, and of the day', async () => {
    const numbers = all.filter(({ characteristic: { dataType } }) => dataType === 'FLOAT' || dataType === 'INTEGER')
    for (const { uuids, points } of numbers.filter((_, index) => index % 5 === 0)) {
      const { system_uuid: _, ...series } = uuids
      const range = { from: new Date(START).toISOString(), to: new Date(START + DAY_MS).toISOString() }
      const query = new URLSearchParams({ ...series, ...range, interval: 'PT1H', aggregations: 'min,max,avg,last' })
      const { json } = await server.call({ method: 'GET', path: `/rest/v1/data-points?${String(query)}` })
      const { buckets } = json as { buckets: (Figures & { from: string })[] }
      const hours = Map.groupBy(points, ({ timestamp }) => `${timestamp.slice(0, 13)}:00:00.000Z`)
      expect(buckets.map(({ from }) => from)).toStrictEqual([...hours.keys()])
      for (const { from, count, min, max, avg, last } of buckets) {
        const values = (hours.get(from) ?? []).map(({ value }) => Number(value))
        expect({ count, min: Number(min), max: Number(max), last: Number(last) }).toStrictEqual({
          count: values.length,
          min: Math.min(...values),
          max: Math.max(...values),
          last: values.at(-1),
        })
        const mean = values.reduce((sum, value) => sum + value, 0) / values.length
        expect(Math.abs(Number(avg) - mean)).toBeLessThanOrEqual(1e-9 * Math.max(1, ...values.map(Math.abs)))
      }
    }
  })

  it('has the last value of everything at once', async () => {
    const systems = [...new Set(all.map(({ uuids }) => uuids.system_uuid))]
    const latest: {
      componentUuid: string
      serviceUuid: string
      characteristicUuid: string
      timestamp: string
      value: unknown
    }[] = []
    for (const system of systems) {
      const { latestDatapoints } = await server.data<{ latestDatapoints: typeof latest }>(
        `query ($systems: [ID!]) { latestDatapoints(systems: $systems) {
           componentUuid serviceUuid characteristicUuid timestamp value } }`,
        { systems: [system] },
      )
      latest.push(...latestDatapoints)
    }
    const found = new Map(
      latest.map(({ componentUuid, serviceUuid, characteristicUuid, ...point }) => [
        `${componentUuid} ${serviceUuid} ${characteristicUuid}`,
        point,
      ]),
    )
    expect(found.size).toBe(all.length)
    for (const { name, points } of all) expect(found.get(name)).toEqual(points.at(-1))
  })
})

interface Figures {
  readonly count: number
  readonly min: unknown
  readonly max: unknown
  readonly avg: unknown
  readonly last: unknown
}

function nameOf({ component_uuid, service_uuid, characteristic_uuid }: Series['uuids']): string {
  return `${component_uuid} ${service_uuid} ${characteristic_uuid}`
}

function seriesOf({ uuid, systemUuid, supports }: Made, place: number): Series[] {
  return supports.map(({ serviceUuid, characteristicUuid, characteristic: code }) => {
    const characteristic = characteristics.get(code)
    if (characteristic === undefined) throw new Error(`the library has no ${code}`)
    const uuids = {
      system_uuid: systemUuid,
      component_uuid: uuid,
      service_uuid: serviceUuid,
      characteristic_uuid: characteristicUuid,
    }
    const points = dayOf(characteristic, START, seeded(`${place} ${code} ${supports.length}`)).map(({ at, value }) => ({
      timestamp: new Date(at).toISOString(),
      value,
    }))
    return { name: nameOf(uuids), uuids, characteristic, points }
  })
}
