import type { Device } from './device.ts'
import type { LiveSite } from './live-site.ts'
import type { Patience } from './patience.ts'
import type { Occurrence } from './site/occurrences.ts'
import type { Series } from './site/series.ts'
import { stableUuid } from '../lib/uuid.ts'

/** The points of a site that the platform has acknowledged. */
export interface Sent {
  points: number
  events: number
  /** The time up to which there are datapoints. */
  until: number
}

export interface SendOptions {
  readonly live: LiveSite
  readonly device: Device
  readonly patience: Patience
  readonly sent: Sent
  /** The time up to which a site may have reported by now. */
  readonly horizon: () => number
  /** Called after each batch. */
  readonly onSent: () => void
  /** Reads the series again, by the present model. */
  readonly reopen: () => Promise<readonly Series[]>
  readonly warn: (message: string) => void
  readonly hasEventModel: (code: string, isSinglePoint: boolean) => boolean
}

/** The largest batch that the platform accepts. */
const MOST_POINTS = 10_000

interface Batch {
  readonly body: string
  readonly count: number
  readonly occurrences: readonly Occurrence[]
  readonly until: number
}

/** Sends the data of a site: first its past, as fast as possible, and then each interval when it is over. */
export class SiteSender {
  readonly #options: SendOptions
  readonly #warned = new Set<string>()
  #series: readonly Series[]
  #isModelNew = false

  constructor(options: SendOptions) {
    this.#options = options
    this.#series = options.live.series
  }

  get series(): readonly Series[] {
    return this.#series
  }

  /** Sends everything that is due by now. The result is false where that was interrupted. */
  async catchUp(): Promise<boolean> {
    let delivered: Promise<boolean> = Promise.resolve(true)
    for (;;) {
      if (this.#isModelNew) await this.#learnModel()
      // The next batch is made while the last one is under way. It is sent only after that one has succeeded, so that
      // the data has no gaps.
      const batch = this.#nextBatch(this.#options.horizon())
      if (!(await delivered)) return false
      if (batch === null) return true
      delivered = this.#deliver(batch)
      // The failure is handled where the delivery is awaited.
      delivered.catch(() => undefined)
    }
  }

  /** The end of the next interval. */
  get nextTime(): number {
    const { site } = this.#options.live
    return nextTime(site.time, site.interval)
  }

  #nextBatch(until: number): Batch | null {
    const { site } = this.#options.live
    const points: string[] = []
    const occurrences: Occurrence[] = []
    while (
      this.nextTime <= until &&
      points.length + this.#series.length <= Math.max(MOST_POINTS, this.#series.length)
    ) {
      const [before, time] = [site.time, this.nextTime]
      const step = site.advance(time)
      occurrences.push(...step.occurrences)
      for (const series of this.#series) {
        const point = series.report(step.figures, time, before)
        if (point !== null) points.push(point)
      }
    }
    if (points.length === 0 && occurrences.length === 0) return null
    return { body: `[${points.join(',')}]`, count: points.length, occurrences, until: site.time }
  }

  /** Sends the events first, because a batch whose datapoints are stored is never looked at again. */
  async #deliver({ body, count, occurrences, until }: Batch): Promise<boolean> {
    const { device, patience, sent } = this.#options
    for (const occurrence of occurrences) if (!(await this.#tell(occurrence))) return false
    const delivery = count === 0 ? { stored: 0, refusal: null } : await patience.persist(() => device.send(body, count))
    if (delivery === null) return false
    sent.points += delivery.stored
    sent.until = until
    if (delivery.refusal !== null) {
      this.#warnOnce(`the platform refuses some datapoints: ${delivery.refusal}`)
      this.#isModelNew = true
    }
    for (const { problem, supported } of this.#series)
      if (problem !== null) this.#warnOnce(`${supported.characteristic} cannot be simulated: ${problem}`)
    this.#options.onSent()
    return true
  }

  async #tell(occurrence: Occurrence): Promise<boolean> {
    const { device, patience, sent, live, hasEventModel } = this.#options
    const planned = live.plan.components.find(({ id }) => id === occurrence.component)
    const component = planned === undefined ? '' : stableUuid(live.systemUuid, planned.id, planned.model)
    if (!live.components.has(component) || !hasEventModel(occurrence.model, occurrence.isSinglePoint)) return true
    if ((await patience.persist(async () => device.tell(occurrence, component).then(() => true))) === null) return false
    sent.events += occurrence.to === null ? 1 : 0
    return true
  }

  async #learnModel(): Promise<void> {
    const series = await this.#options.patience.persist(this.#options.reopen)
    if (series !== null) this.#series = series
    this.#isModelNew = false
  }

  #warnOnce(message: string): void {
    if (this.#warned.has(message)) return
    this.#warned.add(message)
    this.#options.warn(message)
  }
}

/** Intervals are aligned to the clock, so that all sites report at the same times. */
function nextTime(time: number, interval: number): number {
  return (Math.floor(time / interval) + 1) * interval
}
