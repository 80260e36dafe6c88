import type { SentPoint } from '../api-client/index.ts'
import { HoldfastError } from '../lib/errors.ts'
import { tellOccurrence } from './device.ts'
import { reopenSite } from './open-site.ts'
import type { SimulatedOn } from './platform.ts'
import type { Member, Telling } from './prepare.ts'
import { occurrencesBetween, type Occurrence } from './site/occurrences.ts'

/** The points of a site that the platform has acknowledged. */
export interface Sent {
  points: number
  events: number
  /** The time up to which there are datapoints. */
  until: number
}

/** A site that sends. */
export interface Sender extends Member {
  readonly platform: SimulatedOn
  readonly sent: Sent
  readonly now: () => number
  readonly telling: Telling
  /** Called after each batch. */
  readonly onSent: () => void
  /** The warnings that were printed, because each is printed only once. */
  readonly warned: Set<string>
}

/** The largest batch that the platform accepts. */
const MOST_POINTS = 10_000

/** Sends all data up to now, without gaps, unless the simulation is stopped. */
export async function sendDue(sender: Sender): Promise<void> {
  const { live, now, platform } = sender
  while (live.site.nextTime <= now() && !platform.stop.signal.aborted) await sendBatch(sender)
}

async function sendBatch(sender: Sender): Promise<void> {
  const { live, device, sent, onSent } = sender
  const { points, occurrences } = nextBatch(sender)
  // Events are sent first, because a batch is not repeated after its datapoints were stored.
  for (const occurrence of occurrences) await tell(sender, occurrence)
  if (points.length > 0) {
    // Datapoints that the model does not allow any more must not hold up the others.
    const { stored, rejected } = await device.holdfast.send(points, { lenient: true })
    sent.points += stored
    const [refused] = rejected
    if (refused !== undefined) await learnModel(sender, refused.detail)
  }
  sent.until = live.site.time
  for (const { problem, supported } of live.series)
    if (problem !== null) warnOnce(sender, `${supported.characteristic} cannot be simulated: ${problem}`)
  onSent()
}

function nextBatch({ live: { site, series }, now }: Sender) {
  const points: SentPoint[] = []
  const occurrences: Occurrence[] = []
  do {
    const before = site.time
    const reports = site.advance()
    occurrences.push(...occurrencesBetween(site, before, site.time))
    for (const one of series) {
      const point = one.report(reports, site.time, before)
      if (point !== null) points.push(point)
    }
  } while (site.nextTime <= now() && points.length + series.length <= MOST_POINTS)
  return { points, occurrences }
}

async function tell(sender: Sender, occurrence: Occurrence): Promise<void> {
  const { live, device, sent } = sender
  const [uuid] = [...live.components].find(([, { id }]) => id === occurrence.component) ?? []
  const type = occurrence.isSinglePoint ? 'SINGLE_POINT' : 'RANGED'
  if (uuid === undefined || live.model.eventModels.get(occurrence.model) !== type) return
  try {
    await tellOccurrence(device, live.systemUuid, occurrence, uuid)
  } catch (error) {
    // An event that the model does not allow any more must not hold up the datapoints.
    if (!(error instanceof HoldfastError && error.code === 'BAD_USER_INPUT')) throw error
    return warnOnce(sender, `the platform refuses an event: ${error.message}`)
  }
  if (occurrence.to === null) sent.events += 1
}

/** Reads the model again, because it no longer allows some datapoints. */
async function learnModel(sender: Sender, refusal: string): Promise<void> {
  const { live, platform } = sender
  warnOnce(sender, `the platform refuses some datapoints: ${refusal}`)
  await reopenSite(platform.holdfast, live, { totalMs: Infinity })
}

function warnOnce({ warned, telling, live }: Sender, message: string): void {
  if (!warned.has(message)) telling.warn(`${live.site.plan.name}: ${message}`)
  warned.add(message)
}
