import { counted } from '../../lib/counted.ts'
import { escapeUnseen } from '../../lib/visible-text.ts'
import { DONE, type CommandResult } from '../../shell/exit-code.ts'
import type { Context, Io } from '../../shell/io.ts'
import type { PlatformOptions } from '../../client/platform-address.ts'
import { progressOn } from '../../shell/progress.ts'
import type { Sent } from '../../simulate/send-site.ts'
import { reachPlatform } from '../../simulate/platform.ts'
import { prepare, retire, timeText, type Telling } from '../../simulate/prepare.ts'
import { runSimulation } from '../../simulate/run-simulation.ts'
import { readDays, readInterval, readWhole } from '../../simulate/simulate-options.ts'

export interface SimulateOptions extends PlatformOptions {
  readonly days: string
  readonly interval?: string
  readonly once?: boolean
  readonly seed: string
  readonly systems: string
  /** Left out by the demo, which is for people. */
  readonly format?: 'text' | 'json'
}

const DAY = 86_400_000

/** Creates houses of the sample model on a platform, sends their past data, and then sends new data as time passes. */
export async function simulate(options: SimulateOptions, { io, parts }: Context): Promise<CommandResult> {
  const read = readOptions(options, io.now())
  const progress = progressOn(io)
  const telling = tellingOn(options.format === 'json' ? { ...io, stdout: io.stderr } : io, progress)
  // Ctrl-C ends the simulation after the present request.
  const finishing = { ...io, signal: afterGrace(io.signal) }
  const stop = new AbortController()
  const abort = () => stop.abort(io.signal.reason)
  if (io.signal.aborted) abort()
  else io.signal.addEventListener('abort', abort, { once: true })
  progress.step('Looking for the sites')
  try {
    const platform = await reachPlatform(options, { io: finishing, parts }, stop)
    const members = await prepare(platform, read, finishing, telling)
    try {
      const sent = await runSimulation({ ...read, platform, members, telling, io })
      progress.clear()
      if (options.format === 'json') io.stdout.write(sentJson(sent))
      if (!io.signal.aborted) return DONE
      if (options.format !== 'json') io.stdout.write(closingLine(sent))
      return { kind: 'interrupted' }
    } finally {
      await retire(members)
    }
  } finally {
    progress.clear()
  }
}

function readOptions({ days, interval, once, seed, systems }: SimulateOptions, now: number) {
  return {
    from: now - readDays(days) * DAY,
    interval: interval === undefined ? null : readInterval(interval),
    once: once === true,
    seed: readWhole('--seed', seed, [0, 999_999]),
    systems: readWhole('--systems', systems, [1, 200]),
  }
}

function tellingOn({ stdout, stderr }: Io, progress: ReturnType<typeof progressOn>): Telling {
  return {
    progress: (what) => progress.step(what),
    say(line) {
      progress.clear()
      stdout.write(`${escapeUnseen(line)}\n`)
    },
    warn(message) {
      progress.clear()
      stderr.write(`warning: ${escapeUnseen(message)}\n`)
    },
    note(message) {
      progress.clear()
      stderr.write(`${escapeUnseen(message)}\n`)
    },
  }
}

function closingLine({ points, events, until }: Sent): string {
  const what = `${counted(points, 'datapoint')} and ${counted(events, 'event')}`
  return `Sent ${what}. There is data up to ${timeText(until)}; the next run continues there.\n`
}

function sentJson({ points, events, until }: Sent): string {
  return `${JSON.stringify({ datapoints: points, events, until: timeText(until) }, null, 2)}\n`
}

const GRACE_MS = 5_000

function afterGrace(signal: AbortSignal): AbortSignal {
  const late = new AbortController()
  const begin = () => setTimeout(() => late.abort(signal.reason), GRACE_MS).unref()
  if (signal.aborted) begin()
  else signal.addEventListener('abort', begin, { once: true })
  return late.signal
}
