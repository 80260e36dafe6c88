import { missingRight } from '../../../auth/require-right.ts'
import type { Right } from '../../../auth/scopes.ts'
import type { Tab, Visit } from '../../page.ts'

interface SystemTabs {
  readonly name: string
  readonly label: string
  readonly path: string
  readonly right: Right
  readonly keepsWithin: boolean
}

const TABS = [
  { name: 'overview', label: 'Overview', path: '', right: 'data:read', keepsWithin: true },
  { name: 'analyse', label: 'Analyse', path: '/analyse', right: 'data:read', keepsWithin: true },
  { name: 'setpoints', label: 'Setpoints', path: '/setpoints', right: 'data:read', keepsWithin: true },
  { name: 'events', label: 'Events', path: '/events', right: 'data:read', keepsWithin: true },
  { name: 'refused', label: 'Refused', path: '/refused', right: 'data:read', keepsWithin: true },
  { name: 'credentials', label: 'Credentials', path: '/credentials', right: 'access:admin', keepsWithin: false },
] as const satisfies readonly SystemTabs[]

export type SystemTab = (typeof TABS)[number]['name']

/** The parts of a system's page, as far as the person may see them. */
export function systemTabs({ caller }: Pick<Visit, 'caller'>, uuid: string, current: SystemTab): readonly Tab[] {
  const shown = TABS.filter(({ right, keepsWithin }) => missingRight('', right, caller, keepsWithin) === null)
  return shown.map(({ name, label, path }) => ({
    label,
    href: `/systems/${uuid}${path}`,
    isCurrent: name === current,
  }))
}
