import type { Event } from './schedule-events.ts'

// Schedules that once ended otherwise than they should.

type Draw = Event['draws'][number]

function draw(kind: Draw['kind'], record: number, other: number, value: number): Draw {
  return { kind, record, other, value }
}

function event(kind: Event['kind'], nth: number, squashed: '' | 'squashed', ...draws: Draw[]): Event {
  return { kind, nth, isSquashed: squashed !== '', draws }
}

/** A key is changed and changed back before the first of it is applied: the links went neither with it nor without it. */
export const MOVED_BACK: readonly Event[] = [
  event('open', 7, '', draw('link', 2, 1, 8), draw('unit', 2, 0, 1)),
  event('open', 8, '', draw('presence', 3, 1, 2), draw('move', 0, 0, 8)),
  event('again', 8, 'squashed', draw('move', 3, 1, 6), draw('service name', 0, 0, 3)),
  event('again', 9, '', draw('link', 0, 1, 2)),
  event('approve', 9, 'squashed', draw('service name', 3, 0, 3)),
  event('merge', 8, '', draw('unit', 3, 1, 0)),
  event('revert', 6, 'squashed', draw('unit move', 1, 1, 8), draw('presence', 2, 0, 5)),
  event('merge', 7, '', draw('link', 0, 1, 8), draw('grant', 1, 1, 0)),
  event('push', 6, 'squashed', draw('move', 2, 0, 8), draw('symbol', 0, 1, 1), draw('move', 0, 0, 8)),
  event('approve', 5, '', draw('move', 1, 1, 1)),
  event('merge', 4, 'squashed', draw('unit name', 2, 1, 9), draw('move', 0, 1, 1), draw('service', 1, 0, 5)),
  event('push', 6, '', draw('grant', 0, 1, 7), draw('move', 1, 0, 8), draw('presence', 3, 1, 0)),
  event('reject', 1, 'squashed', draw('service', 0, 1, 9), draw('unit name', 2, 0, 2), draw('unit', 0, 0, 7)),
  event('revert', 6, '', draw('link', 1, 1, 3)),
  event('approve', 8, '', draw('symbol', 2, 0, 3), draw('protect', 1, 0, 7), draw('unit move', 0, 0, 2)),
  event('merge', 6, 'squashed', draw('unit name', 0, 0, 3), draw('presence', 3, 0, 7)),
]
