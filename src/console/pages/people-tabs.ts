import type { Tab } from '../page.ts'

const TABS = [
  { name: 'organizations', label: 'Organizations' },
  { name: 'users', label: 'Users' },
  { name: 'machine-users', label: 'Machine users' },
] as const

/** The parts of the area People. */
export function peopleTabs(current: (typeof TABS)[number]['name']): readonly Tab[] {
  return TABS.map(({ name, label }) => ({ label, href: `/${name}`, isCurrent: name === current }))
}
