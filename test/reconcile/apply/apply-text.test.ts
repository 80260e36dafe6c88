import { describe, expect, it } from 'vitest'
import { applyText } from '../../../src/reconcile/apply/apply-text.ts'
import type { Change } from '../../../src/plan/plan.ts'
import type { Apply } from '../../../src/reconcile/target/target.ts'
import { deleted, guard, planOf, updated } from '../../plan/render/plan-builder.ts'

const APPLY = {
  uuid: '5f0c1f0e-6f0b-4c39-9a64-0f6a3c9b1d01',
  at: '2026-02-03T14:05:09Z',
  recorded: true,
  summary: { create: 0, update: 0, move: 0, delete: 1, unchanged: 0, unmanagedTypes: 0 },
} as Apply

const SURROUNDINGS = { platform: 'a.example', undo: (uuid: string) => `holdfast rollback ${uuid}` }
const text = (change: Change) => applyText('applied', APPLY, planOf({ changes: [change] }), SURROUNDINGS)

describe('what an apply says of the data that it has deleted', () => {
  const body = { code: 'a', name: 'A' }
  const stays = 'The data that was deleted with its records stays lost; a roll-back does not bring it back.\n'

  it('is that a roll-back does not bring it back', () => {
    const change = deleted('services', 'a', body, { guards: [guard('deletes-data', '3 setpoints belong to it', true)] })
    expect(text(change)).toMatch(
      /^Applied: 1 record deleted on \S+ · domain local\napply 5f0c\S+ at .*\nUndo it: .* rollback /,
    )
    expect(text(change).endsWith(`\n${stays}`)).toBe(true)
  })

  it.each<[what: string, change: Change]>([
    ['no data hung on what it deleted', deleted('services', 'a', body)],
    ['data stays', deleted('services', 'a', body, { guards: [guard('strands-data', 'stays readable', true)] })],
    ['nothing was deleted', updated('services', 'a', body, { ...body, name: 'B' })],
  ])('is nothing where %s', (_, change) => {
    expect(text(change)).not.toContain('stays lost')
  })
})
