import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalText } from '../../../src/lib/json.ts'
import { diffFields } from '../../../src/plan/render/field-diff.ts'
import { json } from './random-plans.ts'

describe('the differences between two values', () => {
  test('there are none exactly where the values are equal', () => {
    fc.assert(
      fc.property(json, json, (before, after) => {
        expect(diffFields(before, before)).toEqual([])
        expect(diffFields(before, after).length === 0).toBe(canonicalText(before) === canonicalText(after))
      }),
    )
  })

  test('items of a list are compared by their key, wherever they stand', () => {
    const before = [
      { key: 'a', label: 'A' },
      { key: 'b', label: 'B' },
      { key: 'c', label: 'C' },
    ]
    const after = [
      { key: 'n', label: 'N' },
      { key: 'a', label: 'A' },
      { key: 'c', label: 'See' },
    ]
    expect(diffFields(before, after, 'options')).toEqual([
      { kind: 'added', path: 'options[n]', after: { label: 'N' } },
      { kind: 'changed', path: 'options[c].label', before: 'C', after: 'See' },
      { kind: 'removed', path: 'options[b]', before: { label: 'B' } },
      { kind: 'same', path: 'options', count: 1 },
    ])
  })

  test('a list whose keys are not unique is compared by index', () => {
    expect(diffFields([{ key: 'a' }, { key: 'a' }], [{ key: 'a' }, { key: 'b' }], 'list')).toEqual([
      { kind: 'changed', path: 'list[1].key', before: 'a', after: 'b' },
    ])
  })

  test('another order alone is one difference', () => {
    expect(diffFields([{ code: 'a' }, { code: 'b' }], [{ code: 'b' }, { code: 'a' }], 'services')).toContainEqual({
      kind: 'changed',
      path: 'services (order)',
      before: ['a', 'b'],
      after: ['b', 'a'],
    })
  })

  test('of texts with many lines only the changed lines are named', () => {
    expect(diffFields('one\ntwo\nthree', 'one\n2\nthree', 'description')).toEqual([
      { kind: 'changed', path: 'description (line 2)', before: 'two', after: '2' },
    ])
    expect(diffFields('one\nthree', 'one\ntwo\nthree', 'description')).toEqual([
      { kind: 'added', path: 'description (line 2)', after: 'two' },
    ])
  })

  test('a member named like something that objects inherit is a member like any other', () => {
    expect(diffFields({}, { constructor: 1 }, 'schema')).toEqual([
      { kind: 'added', path: 'schema.constructor', after: 1 },
    ])
  })
})
