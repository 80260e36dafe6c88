import type { Tab } from '../page.ts'

const TABS = [
  { name: 'application-consumers', label: 'Application consumers' },
  { name: 'auth-methods', label: 'Authentication methods' },
] as const

/** The parts of the area Access. */
export function accessTabs(current: (typeof TABS)[number]['name']): readonly Tab[] {
  return TABS.map(({ name, label }) => ({ label, href: `/${name}`, isCurrent: name === current }))
}
