import { expect, it } from 'vitest'
import type { Change, Plan } from '../../../src/plan/plan.ts'
import { leftOver, undoneSince } from '../../../src/reconcile/apply/left-over.ts'

// What is left of a plan, by a plan of everything that the newest models want.

type Given = Partial<Pick<Plan, 'notCompared'>> & { readonly changes?: readonly Partial<Change>[] }

function plan({ changes = [], ...more }: Given): Plan {
  const defaults = { type: 'machineUsers', action: 'update', patch: [], beforeDigest: 'sha256:0' }
  return {
    ...more,
    changes: changes.map((change) => ({ ...defaults, ...change })),
    access: { changes: [], guards: [], previously: null, state: 'unmanaged' },
    scope: [],
  } as unknown as Plan
}

const SECRET = { op: 'replace', path: '/password', value: '(secret)' } as const
const rotated = (patch: Change['patch']) => plan({ changes: [{ key: 'gateway', secret: 'changed', patch }] })
const NOT_COMPARED = plan({
  notCompared: [{ type: 'machineUsers', key: 'gateway', field: 'password', reason: 'not-resolved' }],
})

const change = (afterDigest: string | null, more: Partial<Change> = {}) =>
  plan({ changes: [{ key: 'a', afterDigest: afterDigest as Change['afterDigest'], ...more }] })

it('a new secret is left where the newest models could not be compared', () => {
  expect(leftOver(rotated([SECRET]), NOT_COMPARED)).toEqual({ except: [], isNothing: false })
  expect(leftOver(rotated([SECRET]), plan({})).isNothing).toBe(true)
})

it('is not left together with what the newest models have taken back', () => {
  const name = { op: 'replace', path: '/name', value: 'New' } as const
  expect(leftOver(rotated([SECRET, name]), NOT_COMPARED).isNothing).toBe(true)
})

it('what was applied is undone only where the newest models want the same again', () => {
  const applied = change('sha256:1', { after: { name: 'A' } })
  const key = { type: 'machineUsers', key: 'a' }
  expect(undoneSince(applied, change('sha256:1'))).toEqual([key])
  expect(undoneSince(applied, change('sha256:2'))).toEqual([])
  expect(undoneSince(applied, change(null, { action: 'delete' }))).toEqual([])
  expect(undoneSince(change(null, { action: 'delete' }), change(null, { action: 'delete' }))).toEqual([key])
  // Somebody has deleted it. The digest of a creation is not keyed.
  expect(undoneSince(applied, change('sha256:3', { beforeDigest: null, after: { name: 'A' } }))).toEqual([key])
})
