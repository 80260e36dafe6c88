import { HoldfastError } from '../../../lib/errors.ts'
import { listComponents, type Component } from '../../../platform/systems/components.ts'
import { findSystem, type System } from '../../../platform/systems/systems.ts'
import type { Html } from '../../../server/html.ts'
import { namedUuid } from '../../named-uuid.ts'
import type { View, Visit } from '../../page.ts'
import { lengthText } from '../../parts/table.ts'
import { systemTabs, type SystemTab } from './system-tabs.ts'

/** The system that the address names. Throws if there is none. */
export async function requireSystem(visit: Visit): Promise<System> {
  const uuid = namedUuid(visit, 'system')
  const system = await findSystem(visit.context, visit.actor, uuid)
  if (system === null) throw new HoldfastError('NOT_FOUND', `there is no system ${uuid}`)
  return system
}

/** The maximum number of components in a list. */
const MOST_CHOICES = 1_000

export interface ChosenFrom {
  readonly components: readonly Component[]
  /** A note if there are more components than the listed ones; null if all are listed. */
  readonly left: string | null
}

export async function componentsOf({ context, actor }: Visit, systemUuid: string): Promise<ChosenFrom> {
  const page = { first: MOST_CHOICES, after: null }
  const { items, total } = await listComponents(context, actor, { systems: [systemUuid] }, page)
  const left = items.length < total ? `of ${lengthText(items.length, total)} components` : null
  return { components: items, left }
}

/** A page of a system. */
export function systemView(visit: Visit, system: System, tab: SystemTab, body: Html): View {
  return {
    title: system.name,
    crumbs: [{ label: 'Systems', href: '/systems' }],
    tabs: systemTabs(visit, system.uuid, tab),
    body,
  }
}
