import { reopenSite } from './open-site.ts'
import type { Patience } from './patience.ts'
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
  readonly patience: Patience
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

/** Sends all data up to now, without gaps. Returns false if it was interrupted. */
export async function sendDue(sender: Sender): Promise<boolean> {
  const { live, now } = sender
  while (live.site.nextTime <= now()) if (!(await sendBatch(sender))) return false
  return true
}

async function sendBatch(sender: Sender): Promise<boolean> {
  const { live, device, patience, sent, onSent } = sender
  const { points, occurrences } = nextBatch(sender)
  // Events are sent first, because a batch is not repeated after its datapoints were stored.
  for (const occurrence of occurrences) if (!(await tell(sender, occurrence))) return false
  if (points.length > 0) {
    const delivery = await patience.persist(() => device.send(`[${points.join(',')}]`, points.length))
    if (delivery === null) return false
    sent.points += delivery.stored
    if (delivery.refusal !== null && !(await learnModel(sender, delivery.refusal))) return false
  }
  sent.until = live.site.time
  for (const { problem, supported } of live.series)
    if (problem !== null) warnOnce(sender, `${supported.characteristic} cannot be simulated: ${problem}`)
  onSent()
  return true
}

function nextBatch({ live: { site, series }, now }: Sender) {
  const points: string[] = []
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

async function tell({ live, device, patience, sent }: Sender, occurrence: Occurrence): Promise<boolean> {
  const [uuid] = [...live.components].find(([, { id }]) => id === occurrence.component) ?? []
  const type = occurrence.isSinglePoint ? 'SINGLE_POINT' : 'RANGED'
  if (uuid === undefined || live.model.eventModels.get(occurrence.model) !== type) return true
  const told = await patience.persist(async () => device.tell(occurrence, uuid).then(() => true))
  if (told === true && occurrence.to === null) sent.events += 1
  return told === true
}

/** Reads the model again, because it no longer allows some datapoints. */
async function learnModel(sender: Sender, refusal: string): Promise<boolean> {
  const { live, patience, platform } = sender
  warnOnce(sender, `the platform refuses some datapoints: ${refusal}`)
  return (await patience.persist(async () => reopenSite(platform.request, live).then(() => true))) === true
}

function warnOnce({ warned, telling, live }: Sender, message: string): void {
  if (!warned.has(message)) telling.warn(`${live.site.plan.name}: ${message}`)
  warned.add(message)
}
