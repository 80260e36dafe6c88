import type { Tab, Visit } from '../page.ts'

const TABS = [
  { name: 'application-consumers', label: 'Application consumers', right: 'model:read' },
  { name: 'auth-methods', label: 'Authentication methods', right: 'access:admin' },
] as const

/** The parts of the area Access that the person may see. */
export function accessTabs({ caller }: Visit, current: (typeof TABS)[number]['name']): readonly Tab[] {
  return TABS.filter(({ right }) => caller.rights.has(right)).map(({ name, label }) => ({
    label,
    href: `/${name}`,
    isCurrent: name === current,
  }))
}
