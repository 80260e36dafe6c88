import { counted, formatCount, nameSome } from '../../lib/counted.ts'
import { recordName } from './change-notes.ts'
import type { Change } from '../plan.ts'
import type { Root } from './roots.ts'

const MOST_NAMED = 5

/** `with it: 1,000 characteristicServiceLinks`, or their names where they are few. */
export function followersText({ followers }: Root, mostNamed = MOST_NAMED): string | null {
  if (followers.length === 0) return null
  const names = followers.length > mostNamed ? countsByType(followers) : followers.map(recordName).join(', ')
  return `with it: ${names}`
}

/** `1,684 characteristicServiceLinks, 82 characteristics` */
export function countsByType(changes: readonly Change[]): string {
  const groups = [...Map.groupBy(changes, ({ type }) => type)].map(([type, { length }]) => ({ type, length }))
  return nameSome(
    groups.sort((a, b) => b.length - a.length).map(({ type, length }) => `${formatCount(length)} ${type}`),
    8,
  )
}

export function moreText(changes: readonly Change[]): string {
  return `… and ${counted(changes.length, 'more', 'more')}: ${countsByType(changes)}`
}
