import { expect, it } from 'vitest'
import type { Forge } from '../../../src/reconcile/forge/forge.ts'
import type { Job } from '../../../src/reconcile/forge/job.ts'
import { readMarker, type Marker } from '../../../src/reconcile/pull-request/marker.ts'
import { keepComment } from '../../../src/reconcile/pull-request/sticky-comment.ts'

const MARKER: Marker = {
  kind: 'plan',
  platform: 'https://platform.example',
  models: 'models',
  commit: 'a'.repeat(40),
  run: { id: 1, attempt: 1 },
  digest: null,
  changes: 'x'.repeat(12_000),
}

it('leaves the effects out of the smallest comment, so that there is room for its text', async () => {
  const comments: string[] = []
  const limits: number[] = []
  const write = (body: string) => {
    if (body.length > 8_192) throw Object.assign(new Error('Body is too long'), { status: 422 })
    comments.push(body)
  }
  const forge = {
    ownComments: async () => comments.map((body, id) => ({ id, url: '', body })),
    createComment: async (_: number, body: string) => {
      write(body)
      return 0
    },
  } satisfies Partial<Forge> as unknown as Forge
  const job = { event: { kind: 'push' } } as unknown as Job
  const io = { now: () => 0, wait: () => Promise.resolve() }
  await keepComment({ forge, job, number: 1, io }, MARKER, ({ limit }) => {
    limits.push(limit)
    return 'x'.repeat(Math.max(0, limit))
  })
  expect(Math.min(...limits)).toBeGreaterThan(7_000)
  expect(comments.map((body) => readMarker(body)?.commit)).toStrictEqual([MARKER.commit])
})
