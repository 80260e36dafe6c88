import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Datapoints } from '../../../src/platform/datapoints/datapoints.ts'
import { SAMPLED_DATABASES } from '../../support/databases.ts'
import { emptyDomain } from '../../support/domain.ts'
import { makeSite, type CharacteristicCode, type Site } from '../../support/site.ts'
import { historyOf } from './history.ts'
import { context, useDomain } from '../../support/one-database.ts'

// Any permutation, duplication and split of the same points gives the same history, folded and merged or not.

const NOON = 1_760_000_000_000
const DAY = 86_400_000

interface Point {
  readonly code: CharacteristicCode
  readonly component: number
  readonly at: number
}

const points = fc.uniqueArray(
  fc.record<Point>({
    code: fc.constantFrom('temperature', 'count', 'open', 'note'),
    component: fc.nat(1),
    at: fc
      .oneof(
        fc.nat(20),
        fc.nat(40).map((days) => days * DAY),
      )
      .map((offset) => NOON + offset),
  }),
  { selector: ({ code, component, at }) => `${code} ${component} ${at}`, minLength: 1, maxLength: 60 },
)

/** One value for each identity, so that order cannot matter. */
function valueOf({ code, at }: Point): unknown {
  const number = at % 1_009
  return { temperature: number / 8, count: number, open: number % 2 === 0, note: `n ${number}`, percent: 0 }[code]
}

type Step = 'send' | 'compact' | 'gather' | 'leave' | 'merge'

const plan = points.chain((all) =>
  fc.record({
    all: fc.constant(all),
    sent: fc
      .array(fc.constantFrom(...all), { maxLength: 40 })
      .chain((again) => fc.shuffledSubarray([...all, ...again], { minLength: all.length + again.length })),
    cuts: fc.array(fc.nat(100), { maxLength: 5 }),
    /** Points of the one leave their block as chunks, those of the other last in it. */
    leastOfChunk: fc.constantFrom(3, 600),
    steps: fc.array(fc.constantFrom<Step>('send', 'send', 'compact', 'compact', 'gather', 'leave', 'merge'), {
      maxLength: 12,
    }),
  }),
)

describe.each(SAMPLED_DATABASES)('the history on $name', ({ name, openMigrated }) => {
  let site: Site

  useDomain({ openMigrated })

  it('does not depend on order, repetition and division of what is sent', async () => {
    const property = fc.asyncProperty(plan, async ({ all, sent, cuts, leastOfChunk, steps }) => {
      await emptyDomain(context)
      site = await makeSite(context)
      const datapoints = new Datapoints({ ...context, isAlone: true, limits: { rowsOfLevel: 2, leastOfChunk } })
      const batches = split(sent, cuts)
      const send = async (batch: readonly Point[]) => {
        const elements = batch.map((point) => site.point(point.code, valueOf(point), point.at, point.component))
        const who = { domainId: context.domain.id, actor: 'tester', systemUuid: null, units: null }
        const { stored, overwritten = 0 } = await datapoints.ingest.add(who, elements)
        expect(stored + overwritten).toBe(batch.length)
        expect(stored).toBe(new Set(batch.map(({ code, component, at }) => `${code} ${component} ${at}`)).size)
      }
      for (const step of steps) {
        if (step === 'send') await Promise.all(batches.splice(0, 2).map(send))
        else if (step === 'compact') await datapoints.compactor.compact()
        else if (step === 'gather') await datapoints.blockMerger.merge(0)
        else if (step === 'leave') await datapoints.blockMerger.merge(Number.MAX_SAFE_INTEGER)
        else await datapoints.merger.merge(Number.MAX_SAFE_INTEGER)
      }
      await Promise.all(batches.map(send))
      const expected = historyOfPoints(all)
      expect(await historyOf(context)).toEqual(expected)
      await datapoints.close()
      expect(await historyOf(context)).toEqual(expected)
    })
    await fc.assert(property, { numRuns: name === 'PGlite' ? 8 : 15 })
  })
})

function split(sent: readonly Point[], cuts: readonly number[]): (readonly Point[])[] {
  const places = [0, ...cuts.map((cut) => cut % (sent.length + 1)), sent.length].sort((a, b) => a - b)
  return places.slice(1).map((end, index) => sent.slice(places[index], end))
}

function historyOfPoints(all: readonly Point[]) {
  const stored = (point: Point) => {
    const value = valueOf(point)
    if (typeof value === 'boolean') return Number(value)
    return point.code === 'count' ? BigInt(value as number) : value
  }
  const groups = Map.groupBy(all, ({ code, component }) => `Sensor ${component} ${code}`)
  return Object.fromEntries(
    [...groups].map(([series, own]) => [
      series,
      own.toSorted((a, b) => a.at - b.at).map((point) => [point.at * 1_000, stored(point)]),
    ]),
  )
}
