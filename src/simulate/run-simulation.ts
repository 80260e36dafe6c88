import { counted } from '../lib/counted.ts'
import { HoldfastError } from '../lib/errors.ts'
import type { Io } from '../shell/io.ts'
import { SiteSender, type Sent } from './send-site.ts'
import { reopenSite } from './live-site.ts'
import { paceOf, type Pace } from './pace.ts'
import { patience, type Patience } from './patience.ts'
import type { SimulatedOn } from './platform.ts'
import { readModel } from './platform-model.ts'
import { timeText, type Cast, type Member, type Telling } from './prepare.ts'
import { receiveSetpoints } from './receive-setpoints.ts'

export interface RunOptions {
  readonly platform: SimulatedOn
  readonly cast: Cast
  /** Ends once all of the past was sent. */
  readonly once: boolean
  readonly speed: number | null
  /** Its signal begins the end: nothing new is started, and what is under way is finished. */
  readonly io: Io
  readonly telling: Telling
}

interface Actor extends Member {
  readonly sender: SiteSender
  readonly patience: Patience
  readonly sent: Sent
}

/** Runs all sites at the same time, until they are interrupted or one of them fails. Returns what was sent. */
export async function runSimulation(options: RunOptions): Promise<Sent> {
  const { io, telling, cast, once } = options
  const failure = new AbortController()
  const signal = AbortSignal.any([io.signal, failure.signal])
  const begin = Math.min(...cast.members.map(({ live }) => live.site.time))
  const pace = paceOf(io.now, begin, options.speed)
  const actors: Actor[] = []
  const progress = () => telling.progress(progressText(actors, begin, io.now()))
  for (const member of cast.members) actors.push(actorOf(member, options, { signal, pace, progress }))
  const untilFailure = <T>(work: Promise<T>) =>
    work.catch((error: unknown) => {
      failure.abort()
      throw error
    })
  await allEnded(actors.map((actor) => untilFailure(sendPast(actor, pace))))
  if (signal.aborted) return total(actors)
  telling.say(pastLine(total(actors), begin))
  if (once) return total(actors)
  telling.say('Sending what happens now; Ctrl-C ends it.')
  const live = actors.flatMap((actor) => [sendPresent(actor, pace), receive(actor, options, signal)])
  await allEnded(live.map(untilFailure))
  return total(actors)
}

function actorOf(
  { live, device }: Member,
  { platform, cast, io, telling }: RunOptions,
  { signal, pace, progress }: { readonly signal: AbortSignal; readonly pace: Pace; readonly progress: () => void },
): Actor {
  const sent: Sent = { points: 0, events: 0, until: live.site.time }
  const warn = (message: string) => telling.warn(`${live.plan.name}: ${message}`)
  const patient = patience({
    io,
    signal,
    onAway: (reason) => warn(`${reason}; trying again, nothing is lost`),
    onBack: () => telling.note(`${live.plan.name}: the platform answers again`),
  })
  const sender = new SiteSender({
    live,
    device,
    sent,
    patience: patient,
    horizon: pace.horizon,
    onSent: progress,
    reopen: async () => reopenSite(platform.request, await readModel(platform.request), live),
    warn,
    hasEventModel: cast.model.hasEventModel,
  })
  return { live, device, sent, sender, patience: patient }
}

async function sendPast({ sender, patience }: Actor, pace: Pace): Promise<void> {
  while (await sender.catchUp()) {
    if (pace.isLive()) return
    if (!(await patience.pause(pace.waitFor(sender.nextTime)))) return
  }
}

async function sendPresent({ sender, patience }: Actor, pace: Pace): Promise<void> {
  while (await patience.pause(pace.waitFor(sender.nextTime))) if (!(await sender.catchUp())) return
}

/** Receives setpoints. A site goes on sending when this fails. */
async function receive(actor: Actor, { platform, io, telling }: RunOptions, signal: AbortSignal): Promise<void> {
  const { live, device, patience, sender } = actor
  try {
    await receiveSetpoints({
      live,
      device,
      patience,
      signal,
      isBound: platform.client !== null,
      series: () => sender.series,
      now: io.now,
      onSet: telling.say,
    })
  } catch (error) {
    if (signal.aborted) return
    if (!(error instanceof HoldfastError)) throw error
    telling.warn(`${live.plan.name}: setpoints are not obeyed: ${error.message}`)
  }
}

/** Waits for all works, and then throws the first failure. */
async function allEnded(works: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find((one) => one.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

function total(actors: readonly Actor[]): Sent {
  return actors.reduce<Sent>(
    (sum, { sent }) => ({
      points: sum.points + sent.points,
      events: sum.events + sent.events,
      until: Math.min(sum.until, sent.until),
    }),
    { points: 0, events: 0, until: Infinity },
  )
}

function progressText(actors: readonly Actor[], begin: number, now: number): string {
  const { points, until } = total(actors)
  const share = now <= begin ? 100 : Math.floor((100 * (until - begin)) / (now - begin))
  return `Sent ${counted(points, 'datapoint')} up to ${timeText(until)}${share < 98 ? `, ${share} %` : ''}`
}

function pastLine({ points, events, until }: Sent, begin: number): string {
  if (points === 0) return `Nothing is missing up to ${timeText(until)}.`
  return `Sent ${counted(points, 'datapoint')} and ${counted(events, 'event')} from ${timeText(begin)} to ${timeText(until)}.`
}
