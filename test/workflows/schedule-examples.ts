import type { Event } from './schedule-events.ts'

// Schedules that once ended otherwise than they should.

/** A key is changed and changed back before the first of it is applied: the links went neither with it nor without it. */
export const MOVED_BACK: readonly Event[] = [
  {
    kind: 'open',
    nth: 7,
    isSquashed: false,
    draws: [
      { kind: 'link', record: 2, other: 1, value: 8 },
      { kind: 'unit', record: 2, other: 0, value: 1 },
    ],
  },
  {
    kind: 'open',
    nth: 8,
    isSquashed: false,
    draws: [
      { kind: 'presence', record: 3, other: 1, value: 2 },
      { kind: 'move', record: 0, other: 0, value: 8 },
    ],
  },
  {
    kind: 'again',
    nth: 8,
    isSquashed: true,
    draws: [
      { kind: 'move', record: 3, other: 1, value: 6 },
      { kind: 'service name', record: 0, other: 0, value: 3 },
    ],
  },
  { kind: 'again', nth: 9, isSquashed: false, draws: [{ kind: 'link', record: 0, other: 1, value: 2 }] },
  { kind: 'approve', nth: 9, isSquashed: true, draws: [{ kind: 'service name', record: 3, other: 0, value: 3 }] },
  { kind: 'merge', nth: 8, isSquashed: false, draws: [{ kind: 'unit', record: 3, other: 1, value: 0 }] },
  {
    kind: 'revert',
    nth: 6,
    isSquashed: true,
    draws: [
      { kind: 'unit move', record: 1, other: 1, value: 8 },
      { kind: 'presence', record: 2, other: 0, value: 5 },
    ],
  },
  {
    kind: 'merge',
    nth: 7,
    isSquashed: false,
    draws: [
      { kind: 'link', record: 0, other: 1, value: 8 },
      { kind: 'grant', record: 1, other: 1, value: 0 },
    ],
  },
  {
    kind: 'push',
    nth: 6,
    isSquashed: true,
    draws: [
      { kind: 'move', record: 2, other: 0, value: 8 },
      { kind: 'symbol', record: 0, other: 1, value: 1 },
      { kind: 'move', record: 0, other: 0, value: 8 },
    ],
  },
  { kind: 'approve', nth: 5, isSquashed: false, draws: [{ kind: 'move', record: 1, other: 1, value: 1 }] },
  {
    kind: 'merge',
    nth: 4,
    isSquashed: true,
    draws: [
      { kind: 'unit name', record: 2, other: 1, value: 9 },
      { kind: 'move', record: 0, other: 1, value: 1 },
      { kind: 'service', record: 1, other: 0, value: 5 },
    ],
  },
  {
    kind: 'push',
    nth: 6,
    isSquashed: false,
    draws: [
      { kind: 'grant', record: 0, other: 1, value: 7 },
      { kind: 'move', record: 1, other: 0, value: 8 },
      { kind: 'presence', record: 3, other: 1, value: 0 },
    ],
  },
  {
    kind: 'reject',
    nth: 1,
    isSquashed: true,
    draws: [
      { kind: 'service', record: 0, other: 1, value: 9 },
      { kind: 'unit name', record: 2, other: 0, value: 2 },
      { kind: 'unit', record: 0, other: 0, value: 7 },
    ],
  },
  { kind: 'revert', nth: 6, isSquashed: false, draws: [{ kind: 'link', record: 1, other: 1, value: 3 }] },
  {
    kind: 'approve',
    nth: 8,
    isSquashed: false,
    draws: [
      { kind: 'symbol', record: 2, other: 0, value: 3 },
      { kind: 'protect', record: 1, other: 0, value: 7 },
      { kind: 'unit move', record: 0, other: 0, value: 2 },
    ],
  },
  {
    kind: 'merge',
    nth: 6,
    isSquashed: true,
    draws: [
      { kind: 'unit name', record: 0, other: 0, value: 3 },
      { kind: 'presence', record: 3, other: 0, value: 7 },
    ],
  },
]
