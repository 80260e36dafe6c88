import { describe, expect, test } from 'vitest'
import { createRecord } from '../../src/platform/records/change-record.ts'
import type { GuardCode, Plan, ScopeState } from '../../src/plan/plan.ts'
import { DOCUMENT_TYPE_NAMES, type DocumentTypeName } from '../../src/records/record-type.ts'
import { acknowledging, applyAll, plan } from '../support/domain.ts'
import { endsOf, example, exampleKey, examples } from '../support/example-records.ts'
import { codesOf, findings, keysOf, rowOf, storedKeys } from '../support/plan-parts.ts'
import type { Model } from '../support/valid-model.ts'
import { oneDomain } from './one-domain.ts'

// Semantics, section 1: what a key of the document was at the last apply, and what it is now.

type Presence = 'absent' | 'empty' | 'filled'
const PRESENCES: readonly Presence[] = ['absent', 'empty', 'filled']
const NAMES = ['kept', 'gone', 'made']

/** Records live on the platform before, unless the type is managed and empty: where it is absent, by another hand. */
const LIVE: { readonly [before in Presence]: readonly string[] } = {
  absent: ['kept', 'gone'],
  empty: [],
  filled: ['kept', 'gone'],
}

interface Expected {
  readonly state: ScopeState
  readonly guards: readonly GuardCode[]
  readonly outcome: Plan['outcome']
  readonly creates: readonly string[]
  readonly deletes: readonly string[]
}

const quiet: Expected = { state: 'managed', guards: [], outcome: 'no-changes', creates: [], deletes: [] }

const EXPECTED: { readonly [before in Presence]: { readonly [after in Presence]: Expected } } = {
  absent: {
    absent: { ...quiet, state: 'unmanaged' },
    empty: {
      ...quiet,
      state: 'emptied',
      guards: ['empties-type', 'takes-over'],
      outcome: 'blocked',
      deletes: ['kept', 'gone'],
    },
    filled: { ...quiet, guards: ['takes-over'], outcome: 'blocked', creates: ['made'], deletes: ['gone'] },
  },
  empty: {
    absent: { ...quiet, state: 'released', guards: ['leaves-scope'], outcome: 'blocked' },
    empty: quiet,
    filled: { ...quiet, outcome: 'changes', creates: ['kept', 'made'] },
  },
  filled: {
    absent: { ...quiet, state: 'released', guards: ['leaves-scope'], outcome: 'blocked' },
    empty: { ...quiet, state: 'emptied', guards: ['empties-type'], outcome: 'blocked', deletes: ['kept', 'gone'] },
    filled: { ...quiet, outcome: 'changes', creates: ['made'], deletes: ['gone'] },
  },
}

function documentOf(type: DocumentTypeName, presence: Presence, names: readonly string[]): Model {
  const ends = endsOf(type, NAMES)
  if (presence === 'absent') return ends
  return { ...ends, [type]: presence === 'empty' ? [] : examples(type, names) }
}

const cases = PRESENCES.flatMap((before) => PRESENCES.map((after) => ({ before, after })))

const domain = oneDomain()

describe.each(DOCUMENT_TYPE_NAMES)('%s', (type) => {
  const keys = (names: readonly string[]) => names.map((name) => exampleKey(type, name)).sort()

  async function prepare(before: Presence): Promise<void> {
    await applyAll(domain(), documentOf(type, before, ['kept', 'gone']))
    if (before !== 'absent') return
    for (const name of LIVE.absent) await createRecord(domain(), type, example(type, name), [])
  }

  test.each(cases)('$before, then $after', async ({ before, after }) => {
    await prepare(before)
    const document = documentOf(type, after, ['kept', 'made'])
    const expected = EXPECTED[before][after]

    const planned = await plan(domain(), document)
    const row = rowOf(planned, type)
    // Whoever holds the secret of a new application can do more than before.
    const widening = type === 'applicationConsumers' && expected.creates.length > 0 ? ['widens-access'] : []
    expect({ state: row.state, guards: codesOf(row), outcome: planned.outcome }).toEqual({
      state: expected.state,
      guards: expected.guards,
      outcome: widening.length > 0 ? 'blocked' : expected.outcome,
    })
    expect(codesOf(planned.access)).toEqual(widening)
    expect(keysOf(planned, 'create', type)).toEqual(keys(expected.creates))
    expect(keysOf(planned, 'delete', type)).toEqual(keys(expected.deletes))
    // Nothing but these: neither of this type nor of another.
    expect(planned.changes).toHaveLength(expected.creates.length + expected.deletes.length)

    const settings = acknowledging(planned)
    await applyAll(domain(), document)
    const left = LIVE[before].filter((name) => !expected.deletes.includes(name))
    expect(await storedKeys(domain(), type)).toEqual(keys([...left, ...expected.creates]))

    const again = await plan(domain(), document, settings)
    expect(again.outcome).toBe('no-changes')
    expect(again.scope.flatMap(codesOf)).toEqual([])
    expect(findings(again)).toEqual([...expected.guards, ...widening].map(() => 'unused-acknowledgement'))
  })
})
