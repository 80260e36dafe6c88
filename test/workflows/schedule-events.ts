import * as fc from 'fast-check'
import { DRAWS, type Draw } from './schedule-models.ts'

// What may happen in a schedule, drawn at random.

const draw: fc.Arbitrary<Draw> = fc.record({
  kind: fc.constantFrom(...DRAWS),
  record: fc.nat(3),
  other: fc.nat(1),
  value: fc.nat(9),
})
const KINDS = {
  open: 4,
  push: 1,
  merge: 5,
  approve: 5,
  reject: 1,
  again: 1,
  revert: 1,
  drift: 1,
  reconcile: 1,
} as const
const kind = fc.oneof(
  ...Object.entries(KINDS).map(([name, weight]) => ({ weight, arbitrary: fc.constant(name as keyof typeof KINDS) })),
)
const draws = fc.array(draw, { minLength: 1, maxLength: 3 })
export const eventArbitrary = fc.record({ kind, nth: fc.nat(9), isSquashed: fc.boolean(), draws })
export type Event = typeof eventArbitrary extends fc.Arbitrary<infer E> ? E : never
