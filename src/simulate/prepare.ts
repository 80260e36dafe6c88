import { counted, nameSome } from '../lib/counted.ts'
import { HoldfastError } from '../lib/errors.ts'
import type { Io } from '../shell/io.ts'
import { commandLine } from '../shell/terminal.ts'
import { makeDevice, type Device } from './device.ts'
import { openSite, type LiveSite, type OpenOptions } from './open-site.ts'
import type { SimulatedOn } from './platform.ts'
import { readModel, type PlatformModel } from './platform-model.ts'
import { sitePlan, type SitePlan } from './house/site-plan.ts'

/** Writes messages for the user at the terminal. */
export interface Telling {
  progress(what: string): void
  /** Prints a line that is part of the result. */
  say(line: string): void
  /** Prints a message that is not part of the result. */
  warn(message: string): void
  note(message: string): void
}

/** A site and the device that sends for it. */
export interface Member {
  readonly live: LiveSite
  readonly device: Device
}

interface SitesOptions extends OpenOptions {
  readonly seed: number
  readonly systems: number
}

/** Finds or creates the sites, with an account for each. */
export async function prepare(
  platform: SimulatedOn,
  options: SitesOptions,
  io: Io,
  telling: Telling,
): Promise<readonly Member[]> {
  const model = await readModel(platform.holdfast)
  const plans = Array.from({ length: options.systems }, (_, index) => sitePlan(options.seed, index))
  checkModel(plans, model, io, telling)
  const members: Member[] = []
  try {
    for (const plan of plans) {
      platform.stop.signal.throwIfAborted()
      const live = await openSite(platform.holdfast, model, plan, options)
      const onChange = (reason: Error | null) => {
        if (reason === null) telling.note(`${plan.name}: the platform answers again`)
        else telling.warn(`${plan.name}: ${reason.message}; trying again, nothing is lost`)
      }
      members.push({ live, device: await makeDevice(platform, live.systemUuid, io, onChange) })
      telling.say(openingLine(live))
    }
  } catch (error) {
    await retire(members)
    throw error
  }
  return members
}

/**
 * Revokes the accounts. It ignores failures, so that an unreachable platform does not delay the end. A remaining
 * account can only send for its own system.
 */
export async function retire(members: readonly Member[]): Promise<void> {
  await Promise.allSettled(members.map(({ device }) => device.retire()))
}

function checkModel(plans: readonly SitePlan[], model: PlatformModel, { env }: Io, { warn }: Telling): void {
  const wanted = new Set(plans.flatMap(({ components }) => components.map((one) => one.model)))
  const missing = [...wanted].filter((code) => !model.componentModels.has(code)).sort()
  if (missing.length === wanted.size)
    throw new HoldfastError(
      'NOT_FOUND',
      `the platform has none of the component models that a simulated site is made of (${nameSome(missing, 3)}); apply the sample model first: ${commandLine(env, 'apply')}`,
    )
  if (missing.length > 0)
    warn(`the platform lacks the component models ${missing.join(', ')}: the site is made without them`)
}

function openingLine({ isNew, components, series, site }: LiveSite): string {
  const parts = `${counted(components.size, 'component')} with ${counted(series.length, 'series', 'series')}`
  return `${site.plan.name}: ${isNew ? `made, ${parts}` : `found, ${parts}; continues after ${timeText(site.time)}`}`
}

/** The time as RFC 3339, without fractions. */
export function timeText(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`
}
