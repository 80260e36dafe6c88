import type { Tab, Visit } from '../../page.ts'

/** The parts of the area, as far as the person may see them. */
export function appliesTabs({ caller }: Visit, current: 'applies' | 'drift', drifted?: number): readonly Tab[] {
  if (!caller.rights.has('model:read')) return []
  return [
    { label: 'Applies', href: '/applies', isCurrent: current === 'applies' },
    { label: 'Drift', href: '/drift', isCurrent: current === 'drift', count: drifted },
  ]
}
