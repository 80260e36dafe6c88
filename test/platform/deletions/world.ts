import { deepStrictEqual as same } from 'node:assert'
import type { Database } from '../../../src/db/sql.ts'
import { Datapoints } from '../../../src/platform/datapoints/datapoints.ts'
import { readDatapoints, readLatest } from '../../../src/platform/datapoints/reading/read-datapoints.ts'
import { readingQuery } from '../../../src/platform/datapoints/reading/reading-query.ts'
import { carryOutDeletion, previewDeletion } from '../../../src/platform/deletions/deletions.ts'
import type { Wanted } from '../../../src/platform/deletions/deletion-target.ts'
import type { DomainContext } from '../../../src/platform/domain-context.ts'
import { EVERYWHERE } from '../../../src/platform/systems/reach.ts'
import type { Site } from '../../support/site.ts'
import { historyOf } from '../datapoints/history.ts'

export const NOON = Date.UTC(2026, 1, 20, 12)
export const DAY = 86_400_000
export const CODES = ['temperature', 'note'] as const

export interface Place {
  readonly code: (typeof CODES)[number]
  readonly component: number
  readonly at: number
}

/** A range of one or all series. */
export interface Range {
  readonly component: number | null
  readonly code: Place['code'] | null
  readonly from: number | null
  readonly days: number | null
}

export type Work = 'fold' | 'gather' | 'leave' | 'merge' | 'join' | 'erase' | 'die'

export type Single =
  | { readonly kind: 'send'; readonly server: number; readonly places: readonly Place[] }
  | { readonly kind: 'work'; readonly server: number; readonly work: Work }
  | { readonly kind: 'preview'; readonly range: Range }
  | { readonly kind: 'delete'; readonly pick: number }
  | { readonly kind: 'look' }

interface Kept {
  readonly value: number
  readonly order: number
}

interface Previewed {
  readonly wanted: Wanted
  readonly token: string
  /** What was there: the key of the point and its order. */
  readonly points: ReadonlyMap<string, number>
}

/** Two servers, and a plain map of the points that they should have. */
export class World {
  readonly #context: DomainContext
  readonly #site: Site
  readonly #databases: readonly Database[]
  readonly #limits: object
  readonly #servers: Datapoints[]
  readonly #dead: Datapoints[] = []
  readonly #points = new Map<string, Kept>()
  readonly #previews: Previewed[] = []
  #order = 0

  constructor(context: DomainContext, databases: readonly Database[], site: Site, leastOfChunk: number) {
    this.#context = context
    this.#databases = databases
    this.#site = site
    this.#limits = { rowsOfLevel: 2, leastOfChunk, deadAfterSeconds: 0 }
    this.#servers = [this.#serve(0), this.#serve(1)]
  }

  #serve(index: number): Datapoints {
    const database = this.#databases[index] as Database
    return new Datapoints({ ...this.#context, database, isAlone: false, limits: this.#limits })
  }

  async take(step: Single): Promise<void> {
    if (step.kind === 'send') return this.#send(step.server, step.places)
    if (step.kind === 'work') return this.#work(step.server, step.work)
    if (step.kind === 'preview') return this.#preview(step.range)
    if (step.kind === 'delete') return this.#delete(step.pick)
    return this.look()
  }

  async #send(index: number, places: readonly Place[]): Promise<void> {
    const numbered = places.map((one) => ({ ...one, order: ++this.#order }))
    const elements = numbered.map(({ code, component, at, order }) =>
      this.#site.point(code, code === 'note' ? String(order) : order, at, component),
    )
    const who = { domainId: this.#context.domain.id, actor: 'tester', systemUuid: null, units: null }
    const { errors } = await (this.#servers[index] as Datapoints).ingest.add(who, elements)
    same(errors, [])
    for (const { order, ...one } of numbered) this.#points.set(keyOf(one), { value: order, order })
  }

  async #work(index: number, what: Work): Promise<void> {
    const one = this.#servers[index] as Datapoints
    const FAR = Number.MAX_SAFE_INTEGER
    if (what === 'fold') await one.compactor.compact()
    else if (what === 'gather') await one.blockMerger.merge(0)
    else if (what === 'leave') await one.blockMerger.merge(FAR)
    else if (what === 'merge') await one.merger.merge(FAR)
    else if (what === 'erase') await one.erase()
    else if (what === 'join') {
      await one.joiner.sweep((NOON + 90 * DAY) * 1_000)
      while (await one.joiner.join((NOON + 90 * DAY) * 1_000)) continue
    } else {
      // It leaves what it stored to another one.
      this.#dead.push(one)
      this.#servers[index] = this.#serve(index)
      await this.#servers[index].takeOver()
    }
  }

  async #preview({ component, code, from, days }: Range) {
    const to = days === null ? null : (from ?? NOON) + days * DAY
    const wanted: Wanted = {
      kind: 'DATAPOINTS',
      series: {
        systems: component === null ? [this.#site.systemUuid] : null,
        components: component === null ? null : [this.#site.componentUuids[component] ?? ''],
        services: null,
        characteristics: code === null ? null : [code],
      },
      from: from === null ? null : from * 1_000,
      to: to === null ? null : to * 1_000,
    }
    const meant = [...this.#points].filter(([key]) => {
      const point = placeOf(key)
      return (
        (component === null || point.component === component) &&
        (code === null || point.code === code) &&
        (from === null || point.at >= from) &&
        (to === null || point.at < to)
      )
    })
    const { token, counts } = await previewDeletion(this.#context, EVERYWHERE, wanted)
    same(counts.datapoints, meant.length)
    this.#previews.push({ wanted, token, points: new Map(meant.map(([key, { order }]) => [key, order])) })
  }

  async #delete(pick: number): Promise<void> {
    const chosen = this.#previews[pick % Math.max(1, this.#previews.length)]
    if (chosen === undefined) return
    for (const [key, order] of chosen.points) if (this.#points.get(key)?.order === order) this.#points.delete(key)
    const deletion = await carryOutDeletion(this.#context, EVERYWHERE, chosen.wanted, chosen.token)
    same(deletion.counts.datapoints, chosen.points.size)
  }

  async look(): Promise<void> {
    const { now } = this.#context
    const expected = Object.fromEntries(
      CODES.flatMap((code) => [0, 1].map((component) => [`${component} ${code}`, this.#expected(code, component)])),
    )
    same(withoutEmpty(named(await historyOf(this.#context))), withoutEmpty(expected))
    const latest = await readLatest(this.#context, EVERYWHERE, {})
    const last = Object.entries(withoutEmpty(expected)).map(([key, points]) => [key, points.at(-1)?.[1]])
    same(
      Object.fromEntries(
        latest.map(({ series, point }) => [
          `${this.#site.componentUuids.indexOf(series.componentUuid)} ${series.characteristicKey}`,
          Number(point.value),
        ]),
      ),
      Object.fromEntries(last),
    )
    for (const [component, uuid] of this.#site.componentUuids.entries()) {
      const name = { component: uuid, service: 'room', characteristic: 'temperature' }
      const points = this.#expected('temperature', component)
      const args = { from: new Date(NOON - DAY).toISOString(), to: new Date(NOON + 40 * DAY).toISOString() }
      const page = await readDatapoints(this.#context, EVERYWHERE, name, readingQuery(args, now()), now())
      same(page.reading.form === 'page' && page.reading.points.map(({ at, value }) => [at / 1_000, value]), points)
      // The first can be told by summaries, the second needs all values.
      for (const figures of [
        ['sum', 'max'],
        ['sum', 'median'],
      ] as const) {
        const query = readingQuery({ ...args, interval: 'P1M', aggregations: figures }, now())
        const buckets = await readDatapoints(this.#context, EVERYWHERE, name, query, now())
        const cells = buckets.reading.form === 'buckets' ? buckets.reading.buckets : []
        same(
          cells.reduce((sum, { count }) => sum + count, 0),
          points.length,
        )
        same(
          cells.reduce((sum, one) => sum + Number(one.cells.sum ?? 0), 0),
          points.reduce((sum, [, value]) => sum + value, 0),
        )
      }
    }
  }

  #expected(code: Place['code'], component: number): (readonly [number, number])[] {
    return [...this.#points]
      .map(([key, { value }]) => ({ ...placeOf(key), value }))
      .filter((one) => one.code === code && one.component === component)
      .sort((a, b) => a.at - b.at)
      .map(({ at, value }) => [at, value] as const)
  }

  /** Everything is removed in the end, by any server. */
  async end(): Promise<void> {
    for (const one of this.#servers) await one.compactor.compact()
    const [one] = this.#servers as [Datapoints]
    await one.takeOver()
    await one.erase()
    const [left] = await (this.#databases[0] as Database).statement('select 1 as one from erased_ranges limit 1')
    same(left, undefined)
    await this.look()
    for (const server of [...this.#servers, ...this.#dead]) await server.close().catch(() => undefined)
    await this.look()
  }
}

function keyOf({ code, component, at }: Place): string {
  return `${component} ${code} ${at}`
}

function placeOf(key: string): Place {
  const [component = '', code = '', at = ''] = key.split(' ')
  return { code: code as Place['code'], component: Number(component), at: Number(at) }
}

type History = { readonly [series: string]: readonly (readonly [number, unknown])[] }

function named(history: History): { readonly [series: string]: readonly (readonly [number, number])[] } {
  return Object.fromEntries(
    Object.entries(history).map(([key, points]) => [
      key.replace('Sensor ', ''),
      points.map(([at, value]) => [at / 1_000, Number(value)] as const),
    ]),
  )
}

function withoutEmpty<Points extends { readonly length: number }>(all: { readonly [key: string]: Points }) {
  return Object.fromEntries(Object.entries(all).filter(([, points]) => points.length > 0))
}
