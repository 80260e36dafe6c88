import { expect, it } from 'vitest'
import { adoptedValue, editsBetween } from '../../../src/reconcile/adopt/adopted-value.ts'

it('takes a member that every object inherits for one only where it is written', () => {
  const [written, live] = [{ properties: { constructor: 1, kept: 2 } }, { properties: { kept: 2 } }]
  expect(adoptedValue(written, written, live)).toEqual(live)
  expect(adoptedValue(live, live, written)).toEqual(written)
  const edits = editsBetween({ document: 0, path: [] }, written, live)
  expect(edits).toEqual([{ document: 0, path: ['properties', 'constructor'], kind: 'remove' }])
})
