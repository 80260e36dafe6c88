import { describe, expect, it } from 'vitest'
import type { Change, Plan } from '../../../src/plan/plan.ts'
import { requireReviewedPart, unreviewedIn } from '../../../src/reconcile/apply/own-changes.ts'

// A merge that makes anything else than what was reviewed, told change by change.

type Row = Partial<Pick<Change, 'action' | 'from' | 'beforeDigest' | 'afterDigest' | 'cause'>> & {
  readonly key: string
}
type Scope = { readonly [type in 'characteristics' | 'services']?: 'managed' | 'released' }

function plan(rows: readonly Row[], scope: Scope = {}, isPart = true): Plan {
  const changes = rows.map((row) => ({
    type: 'characteristics',
    action: 'update',
    cause: 'you',
    ...digests(row),
    ...row,
  }))
  const types = Object.keys(scope)
  const states = types.map((type) => ({ type, state: scope[type as keyof Scope] }))
  const own = { scope: types, waiting: { count: 0, records: [] }, waitsFor: [], drifted: 0 }
  return { changes, access: { changes: [] }, scope: states, ...(isPart && { own }) } as unknown as Plan
}

function digests({ key }: Row): object {
  return { beforeDigest: `sha256:before-${key}`, afterDigest: `sha256:after-${key}` }
}

const REVIEWED = plan([{ key: 'a' }, { key: 'b' }])

describe('a merge', () => {
  it.each([
    ['makes the same', plan([{ key: 'a' }, { key: 'b' }])],
    ['makes less, for a part is applied already', plan([{ key: 'a' }])],
    [
      'finds a record changed on the platform, which the platform judges',
      plan([{ key: 'a', cause: 'both', beforeDigest: 'sha256:1' }]),
    ],
    ['is not known as a part of its own', plan([{ key: 'c' }], {}, false)],
  ] as const)('is as it was reviewed where it %s', (_, merged) => {
    expect(unreviewedIn(REVIEWED, merged)).toBeNull()
  })

  it.each<[string, Row]>([
    ['begins elsewhere', { key: 'a', beforeDigest: 'sha256:1' }],
    ['ends elsewhere', { key: 'a', afterDigest: 'sha256:1' }],
    ['deletes', { key: 'a', action: 'delete', afterDigest: null }],
    ['moves', { key: 'a', action: 'move', from: 'z' }],
  ] as readonly [string, Row][])('is another one where it changes the same record and %s', (_, row) => {
    const found = unreviewedIn(REVIEWED, plan([row]))
    expect(found).toMatchObject({ details: [{ type: 'characteristics', key: 'a' }] })
    expect(found?.message).toMatch(/the merge changes characteristics\/a differently from the review$/)
  })

  it('is another one where it changes more, with the records and the types that are managed otherwise', () => {
    const found = unreviewedIn(
      plan([{ key: 'a' }], { services: 'managed' }),
      plan([{ key: 'a' }, { key: 'c' }], { services: 'released' }),
    )
    expect(found?.message).toMatch(/the merge also changes characteristics\/c, services$/)
    expect(unreviewedIn(plan([], { services: 'managed' }), plan([], { services: 'managed' }))).toBeNull()
  })

  it('is not asked about what the newest models do not want any more', () => {
    const merged = plan([{ key: 'a' }, { key: 'c' }])
    expect(() => requireReviewedPart(REVIEWED, merged, null)).toThrow('nothing was changed')
    expect(() => requireReviewedPart(REVIEWED, merged, plan([{ key: 'c' }]))).toThrow('characteristics/c')
    requireReviewedPart(REVIEWED, merged, plan([{ key: 'a' }]))
  })
})
