import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { earliestKept } from '../../../src/datapoints/retention-time.ts'
import { Datapoints } from '../../../src/platform/datapoints/datapoints.ts'
import type { DomainContext } from '../../../src/platform/domain-context.ts'
import { setRetention } from '../../../src/platform/datapoints/retention/set-retention.ts'
import { listChunkMonths } from '../../../src/store/datapoints/packed/partitions.ts'
import { monthOf } from '../../../src/datapoints/chunks/chunk-partition.ts'
import { SAMPLED_DATABASES } from '../../support/databases.ts'
import { emptyDomain, makeDomain } from '../../support/domain.ts'
import { makeSite } from '../../support/site.ts'
import { historyOf } from '../datapoints/history.ts'
import { database, useDatabase } from '../../support/one-database.ts'

const DAY_MS = 86_400_000
const NOON = Date.UTC(2026, 10, 20, 12)
const CODES = ['temperature', 'note'] as const

type Code = (typeof CODES)[number]

interface Case {
  /** By characteristic; `all` of the domain. */
  readonly keeps: { readonly [name in Code | 'all']?: string | null }
  readonly points: readonly { readonly code: Code; readonly ms: number; readonly fold: boolean }[]
}

const keep = fc.oneof(
  fc.constant(null),
  fc.integer({ min: 1, max: 130 }).map((days) => `P${days}D`),
  fc.constantFrom('P1M', 'P3M', 'P5W'),
)

/** Anything up to four months ago, and often at the very edge of a day. */
const time = fc.oneof(
  fc.integer({ min: 0, max: 120 * DAY_MS }).map((back) => NOON - back),
  fc
    .tuple(fc.integer({ min: 0, max: 120 }), fc.constantFrom(-1, 0, 1))
    .map(([days, ms]) => NOON - DAY_MS / 2 - days * DAY_MS + ms),
)

const oneCase: fc.Arbitrary<Case> = fc.record({
  keeps: fc.record({ temperature: keep, note: keep, all: keep }, { requiredKeys: [] }),
  points: fc.array(fc.record({ code: fc.constantFrom(...CODES), ms: time, fold: fc.boolean() }), { maxLength: 40 }),
})

function keptOf({ keeps, points }: Case, code: Code): number[] {
  const own = keeps[code]
  const earliest = earliestKept((own === undefined ? keeps.all : own) ?? null, NOON * 1000)
  const times = points.filter((point) => point.code === code && point.ms * 1000 >= earliest).map(({ ms }) => ms * 1000)
  return [...new Set(times)].sort((a, b) => a - b)
}

const now = () => new Date(NOON)

async function fill(context: DomainContext, datapoints: Datapoints, { points, keeps }: Case): Promise<void> {
  await emptyDomain(context)
  const site = await makeSite(context)
  const who = { domainId: context.domain.id, actor: 'tester', systemUuid: null, units: null }
  for (const { code, ms, fold } of points) {
    const value = code === 'note' ? `${ms}` : ms
    expect(await datapoints.ingest.add(who, [site.point(code, value, ms)])).toMatchObject({ stored: 1 })
    if (fold) await datapoints.compactor.compact()
  }
  for (const [characteristic, kept] of Object.entries(keeps))
    await setRetention(context, {
      characteristic: characteristic === 'all' ? null : characteristic,
      keep: kept,
      acknowledge: true,
    })
}

describe.each(SAMPLED_DATABASES)('two domains with retentions of their own on $name', ({ name, openMigrated }) => {
  let domains: readonly [DomainContext, DomainContext]

  useDatabase({ openMigrated })
  beforeAll(async () => {
    domains = [
      { ...(await makeDomain(database, 'red')), now },
      { ...(await makeDomain(database, 'blue')), now },
    ]
  })

  it('keep exactly what each of them says, and no month but those that hold something', async () => {
    await fc.assert(
      fc.asyncProperty(oneCase, oneCase, async (red, blue) => {
        const datapoints = new Datapoints({ ...domains[0], isAlone: true })
        try {
          await fill(domains[0], datapoints, red)
          await fill(domains[1], datapoints, blue)
          await datapoints.compactor.compact()
          await datapoints.expire()
        } finally {
          await datapoints.close()
        }
        const kept: number[] = []
        for (const [context, one] of [[domains[0], red] as const, [domains[1], blue] as const]) {
          const history = await historyOf(context)
          for (const code of CODES) {
            const times = (history[`Sensor 0 ${code}`] ?? []).map(([at]) => at)
            expect(times).toStrictEqual(keptOf(one, code))
            kept.push(...times)
          }
        }
        const months = new Set(kept.map(monthOf))
        const past = (await database.read(listChunkMonths)).filter((month) => month < monthOf(NOON * 1000))
        expect(past.every((month) => months.has(month))).toBe(true)
      }),
      { numRuns: name === 'PGlite' ? 8 : 5 },
    )
  })
})
