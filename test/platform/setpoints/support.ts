import type { Actor } from '../../../src/platform/access/grants/actor.ts'
import type { DomainContext } from '../../../src/platform/domain-context.ts'
import { addSetpoints } from '../../../src/platform/setpoints/add-setpoints.ts'
import { answerSetpoints } from '../../../src/platform/setpoints/answer-setpoints.ts'
import { listSetpoints } from '../../../src/platform/setpoints/list-setpoints.ts'
import { targetOfDevice, takePending } from '../../../src/platform/setpoints/take-pending.ts'
import type { Setpoint } from '../../../src/platform/setpoints/setpoint.ts'

type Who = Pick<Actor, 'account' | 'name' | 'systemUuid' | 'units'>

export const ANYBODY: Who = { account: null, name: 'tester', systemUuid: null, units: null }

export function deviceOf(systemUuid: string): Who {
  return { account: null, name: 'device', systemUuid, units: null }
}

/** All setpoints, the oldest first. */
export async function allSetpoints(context: DomainContext): Promise<readonly Setpoint[]> {
  const page = { first: 1_000, after: null, isOldestFirst: true }
  return (await listSetpoints(context, ANYBODY, {}, page)).items
}

/** What there is, in a word each: `target 21.5 PENDING`. */
export async function statesOf(context: DomainContext): Promise<string[]> {
  const all = await allSetpoints(context)
  return all.map(({ characteristic, value, state }) => `${characteristic} ${JSON.stringify(value)} ${state}`)
}

export const add = (context: DomainContext, ...elements: unknown[]) => addSetpoints(context, ANYBODY, elements)

/** What a device of this system is given. */
export async function take(context: DomainContext, systemUuid: string, components: readonly string[] = []) {
  return takePending(context, await targetOfDevice(context, deviceOf(systemUuid), components))
}

export const answer = (context: DomainContext, ...elements: unknown[]) => answerSetpoints(context, ANYBODY, elements)
