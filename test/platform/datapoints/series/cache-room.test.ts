import { expect, it, onTestFinished, vi } from 'vitest'
import { BatchTimes } from '../../../../src/platform/datapoints/ingest/batch-times.ts'
import { BYTES, CacheRoom } from '../../../../src/platform/datapoints/series/cache-room.ts'
import { SeriesCache, type DomainSeries } from '../../../../src/platform/datapoints/series/series-cache.ts'

const SERVICE = '5e000000-0000-4000-8000-000000000000'
const CHARACTERISTICS = ['a', 'b', 'c'].map((letter) => `${letter}c000000-0000-4000-8000-000000000000`)
const PAIRS = CHARACTERISTICS.map((characteristicUuid) => ({
  serviceUuid: SERVICE,
  characteristicUuid,
  serviceKey: 'room',
  serviceName: 'Room',
  characteristicKey: 'temperature',
  serviceStatus: 'ACTIVATED' as const,
  characteristicBody: { dataType: 'FLOAT' },
}))
const OF_COMPONENT = BYTES.system + BYTES.component + PAIRS.length * BYTES.series
/** A domain has them once. */
const OF_PAIRS = BYTES.domain + PAIRS.length * BYTES.pair

const nameOf = (kind: 'a' | 'b', number: number) =>
  `${kind}0000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`

function find(domain: DomainSeries, number: number, place = 0) {
  return domain.find(nameOf('b', number), CHARACTERISTICS[place], SERVICE, nameOf('a', number))
}

/** Adds a component with its series, each with a point. */
function learn(domain: DomainSeries, number: number): void {
  const of = { systemUuid: nameOf('a', number), componentUuid: nameOf('b', number), modelUuid: 'model' }
  for (const [place, pair] of PAIRS.entries())
    domain.add({ id: number * 10 + place, ...of, unitUuid: null, pair, keep: null })
  send(domain, number)
}

function send(domain: DomainSeries, number: number): void {
  const times = new BatchTimes(0)
  for (const place of PAIRS.keys()) {
    const entry = find(domain, number, place)
    if (entry !== undefined) times.note(entry, number)
  }
}

const countOf = (domain: DomainSeries, count: number) =>
  Array.from({ length: count }, (_, number) => number).filter((number) => find(domain, number) !== undefined).length

it('holds as many bytes for all domains together as for one', () => {
  const room = new CacheRoom(50 * OF_COMPONENT + 7 * OF_PAIRS)
  const cache = new SeriesCache(room)
  for (let number = 0; number < 1_000; number++) learn(cache.of(number % 7), number)
  const known = Array.from({ length: 7 }, (_, domain) => countOf(cache.of(domain), 1_000))
  const domains = known.filter((count) => count > 0).length
  const components = known.reduce((sum, count) => sum + count)
  expect(components).toBeGreaterThanOrEqual(50)
  expect(room.bytes).toBe(components * OF_COMPONENT + domains * OF_PAIRS)
  expect(domains).toBeGreaterThan(1)
})

/** Draws the same samples in each run: the limits below are statistical. */
function drawAlways(seed: number): void {
  let state = seed
  const random = vi.spyOn(Math, 'random').mockImplementation(() => {
    state = (state * 48_271) % 0x7fffffff
    return state / 0x7fffffff
  })
  onTestFinished(() => random.mockRestore())
}

it.each([1, 2, 3])('evicts components that send nothing, and keeps most of those that send (seed %i)', (seed) => {
  drawAlways(seed * 7_919)
  const room = new CacheRoom(100 * OF_COMPONENT + OF_PAIRS)
  const domain = new SeriesCache(room).of(1)
  const busy = Array.from({ length: 50 }, (_, number) => number)
  for (const number of busy) learn(domain, number)
  for (let number = 50; number < 2_000; number++) {
    learn(domain, number)
    if (number % 10 === 0) for (const one of busy) send(domain, one)
  }
  expect(countOf(domain, 50)).toBeGreaterThan(35)
})

it('never evicts the component that is being added', () => {
  const domain = new SeriesCache(new CacheRoom(1)).of(1)
  for (let number = 0; number < 20; number++) {
    learn(domain, number)
    expect(PAIRS.map((_, place) => find(domain, number, place)?.id)).toStrictEqual(
      PAIRS.map((_, at) => number * 10 + at),
    )
  }
  expect(countOf(domain, 20)).toBe(1)
})

it('gives the bytes of dropped series back, and no dropped one leads to another', () => {
  const room = new CacheRoom()
  const domain = new SeriesCache(room).of(1)
  for (let number = 0; number < 10; number++) learn(domain, number)
  const first = find(domain, 3)
  domain.findAfter(first, nameOf('b', 3), CHARACTERISTICS[1], SERVICE, nameOf('a', 3))
  expect(first?.usuallyNext?.id).toBe(31)
  const changes = { version: 2, identity: '', isAnew: false, definitions: null }
  domain.follow({ ...changes, systems: [nameOf('a', 3)] })
  expect(room.bytes).toBe(9 * OF_COMPONENT + OF_PAIRS)
  expect(first).toMatchObject({ isGone: true, usuallyNext: undefined })
  domain.follow({ ...changes, systems: [], isAnew: true })
  expect(room.bytes).toBe(0)
  expect(domain.models).toStrictEqual([])
})

it('counts the definitions of domains with one device, too', () => {
  const room = new CacheRoom(20 * (OF_COMPONENT + OF_PAIRS))
  const cache = new SeriesCache(room)
  for (let number = 0; number < 100; number++) learn(cache.of(number), number)
  const known = Array.from({ length: 100 }, (_, number) => find(cache.of(number), number)).filter(
    (one) => one !== undefined,
  )
  expect(known).toHaveLength(20)
})

it('forgets domains without entries if there are many', () => {
  const cache = new SeriesCache(new CacheRoom(), 10)
  const busy = cache.of(1)
  learn(busy, 1)
  for (let domain = 2; domain < 1_000; domain++) cache.of(domain)
  expect(cache.size).toBeLessThanOrEqual(12)
  expect(cache.of(1)).toBe(busy)
})
