import { HoldfastError } from '../../../lib/errors.ts'
import { findSystem, type System } from '../../../platform/systems/systems.ts'
import { checkUuid } from '../../../server/checked-arguments.ts'
import type { Html } from '../../../server/login/html.ts'
import type { View, Visit } from '../../page.ts'
import { systemTabs, type SystemTab } from './system-tabs.ts'

/** The system that the address names. */
export async function requireSystem({ context, actor, param }: Visit): Promise<System> {
  const uuid = checkUuid(param('uuid'), 'uuid')
  const system = await findSystem(context, actor, uuid)
  if (system === null) throw new HoldfastError('NOT_FOUND', `there is no system ${uuid}`)
  return system
}

/** A part of a system's page. */
export function systemView(visit: Visit, system: System, tab: SystemTab, body: Html): View {
  return {
    title: system.name,
    crumbs: [{ label: 'Systems', href: '/systems' }],
    tabs: systemTabs(visit, system.uuid, tab),
    body,
  }
}
