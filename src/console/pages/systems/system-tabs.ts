import type { Tab } from '../../page.ts'

const TABS = [
  { name: 'overview', label: 'Overview', path: '' },
  { name: 'analyse', label: 'Analyse', path: '/analyse' },
] as const

export type SystemTab = (typeof TABS)[number]['name']

/** The parts of a system's page. */
export function systemTabs(uuid: string, current: SystemTab): readonly Tab[] {
  return TABS.map(({ name, label, path }) => ({
    label,
    href: `/systems/${uuid}${path}`,
    isCurrent: name === current,
  }))
}
