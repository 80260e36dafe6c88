import type { Tab, Visit } from '../../page.ts'

/** The parts of the area, as far as the person may see them. */
export function appliesTabs(
  { caller }: Visit,
  current: 'applies' | 'drift' | 'deletions',
  drifted?: number,
): readonly Tab[] {
  const ofModel = [
    { label: 'Applies', href: '/applies', isCurrent: current === 'applies' },
    { label: 'Drift', href: '/drift', isCurrent: current === 'drift', count: drifted },
  ]
  const ofData = [{ label: 'Deletions', href: '/deletions', isCurrent: current === 'deletions' }]
  return [...(caller.rights.has('model:read') ? ofModel : []), ...(caller.rights.has('data:read') ? ofData : [])]
}
