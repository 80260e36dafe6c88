import type { Tab } from '../page.ts'

const TABS = [
  { href: '/organizations', label: 'Organizations' },
  { href: '/users', label: 'Users' },
  { href: '/machine-users', label: 'Machine users' },
] as const

/** The parts of the area People. */
export function peopleTabs(current: (typeof TABS)[number]['href']): readonly Tab[] {
  return TABS.map(({ href, label }) => ({ label, href, isCurrent: href === current }))
}
