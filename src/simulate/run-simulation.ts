import { counted } from '../lib/counted.ts'
import { HoldfastError } from '../lib/errors.ts'
import type { Io } from '../shell/io.ts'
import type { SimulatedOn } from './platform.ts'
import { timeText, type Member, type Telling } from './prepare.ts'
import { receiveSetpoints } from './receive-setpoints.ts'
import { sendDue, type Sender, type Sent } from './send-site.ts'

export interface RunOptions {
  readonly platform: SimulatedOn
  readonly members: readonly Member[]
  /** Whether to end after all past data was sent. */
  readonly once: boolean
  readonly io: Pick<Io, 'now'>
  readonly telling: Telling
}

/** Runs all sites in parallel until they are interrupted or one of them fails. Returns how much was sent. */
export async function runSimulation(options: RunOptions): Promise<Sent> {
  const { io, telling, members, once, platform } = options
  const { signal } = platform.stop
  const begin = Math.min(...members.map(({ live }) => live.site.time))
  const onSent = () => telling.progress(progressText(total(senders), begin, io.now()))
  const senders: readonly Sender[] = members.map((member) => senderOf(member, options, onSent))
  const untilFailure = (work: Promise<unknown>) =>
    work.catch((error: unknown) => {
      if (signal.aborted) return
      platform.stop.abort()
      throw error
    })
  await allEnded(senders.map((sender) => untilFailure(sendDue(sender))))
  if (signal.aborted) return total(senders)
  telling.say(pastLine(total(senders), begin))
  if (once) return total(senders)
  telling.say('Sending what happens now; Ctrl-C ends it.')
  await allEnded(senders.flatMap((one) => [sendPresent(one), receive(one)]).map(untilFailure))
  return total(senders)
}

function senderOf(member: Member, options: RunOptions, onSent: () => void): Sender {
  const { platform, io, telling } = options
  return {
    ...member,
    platform,
    sent: { points: 0, events: 0, until: member.live.site.time },
    now: io.now,
    telling,
    onSent,
    warned: new Set(),
  }
}

async function sendPresent(sender: Sender): Promise<void> {
  const { live, now, platform } = sender
  const { clock, stop } = platform
  for (; !stop.signal.aborted; await sendDue(sender)) await clock.wait(live.site.nextTime - now(), stop.signal)
}

/** Receives setpoints. If this fails, the site continues to send. */
async function receive(sender: Sender): Promise<void> {
  try {
    await receiveSetpoints(sender)
  } catch (error) {
    if (sender.platform.stop.signal.aborted || !(error instanceof HoldfastError)) throw error
    sender.telling.warn(`${sender.live.site.plan.name}: setpoints are not obeyed: ${error.message}`)
  }
}

/** Waits until all tasks have ended, and then throws the first failure. */
async function allEnded(works: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find((one) => one.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

function total(senders: readonly Sender[]): Sent {
  const sum = { points: 0, events: 0, until: Infinity }
  for (const { sent } of senders) {
    sum.points += sent.points
    sum.events += sent.events
    sum.until = Math.min(sum.until, sent.until)
  }
  return sum
}

function progressText({ points, until }: Sent, begin: number, now: number): string {
  const share = now <= begin ? 100 : Math.floor((100 * (until - begin)) / (now - begin))
  return `Sent ${counted(points, 'datapoint')} up to ${timeText(until)}${share < 98 ? `, ${share} %` : ''}`
}

function pastLine({ points, events, until }: Sent, begin: number): string {
  if (points === 0) return `Nothing is missing up to ${timeText(until)}.`
  return `Sent ${counted(points, 'datapoint')} and ${counted(events, 'event')} from ${timeText(begin)} to ${timeText(until)}.`
}
