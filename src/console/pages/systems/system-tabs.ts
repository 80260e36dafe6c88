import { missingRight } from '../../../auth/require-right.ts'
import type { Right } from '../../../auth/scopes.ts'
import type { Tab, Visit } from '../../page.ts'

interface SystemTabs {
  readonly name: string
  readonly label: string
  readonly path: string
  readonly right: Right
}

const TABS = [
  { name: 'overview', label: 'Overview', path: '', right: 'data:read' },
  { name: 'analyse', label: 'Analyse', path: '/analyse', right: 'data:read' },
  { name: 'setpoints', label: 'Setpoints', path: '/setpoints', right: 'data:read' },
  { name: 'events', label: 'Events', path: '/events', right: 'data:read' },
  { name: 'refused', label: 'Refused', path: '/refused', right: 'data:read' },
  { name: 'credentials', label: 'Credentials', path: '/credentials', right: 'access:admin' },
] as const satisfies readonly SystemTabs[]

export type SystemTab = (typeof TABS)[number]['name']

/** The parts of a system's page, as far as the person may see them. */
export function systemTabs({ caller }: Pick<Visit, 'caller'>, uuid: string, current: SystemTab): readonly Tab[] {
  return TABS.filter(({ right }) => missingRight('', right, caller, true) === null).map(({ name, label, path }) => ({
    label,
    href: `/systems/${uuid}${path}`,
    isCurrent: name === current,
  }))
}
