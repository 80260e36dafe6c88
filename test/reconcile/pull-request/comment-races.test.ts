import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Forge } from '../../../src/reconcile/forge/forge.ts'
import type { Job } from '../../../src/reconcile/forge/job.ts'
import { markerLine, readMarker, type Marker } from '../../../src/reconcile/pull-request/marker.ts'
import { keepComment, type Kept } from '../../../src/reconcile/pull-request/sticky-comment.ts'
import { runsOf } from '../../support/runs.ts'

// Many runs at the same time, in every order in which their requests may arrive.

interface Comment {
  readonly id: number
  body: string
}

const [OLDEST, OLDER, LATEST] = ['0', 'a', 'b'].map((digit) => digit.repeat(40)) as [string, string, string]

/** A conversation in memory; the scheduler decides when each request arrives and when its answer does. */
class Conversation {
  readonly comments: Comment[] = []
  head = LATEST
  #lastId = 0

  connect(scheduler: fc.Scheduler): Forge {
    const arrive = async <T>(work: () => T): Promise<T> => {
      await scheduler.schedule(Promise.resolve(), 'request')
      const result = work()
      await scheduler.schedule(Promise.resolve(), 'answer')
      return result
    }
    return {
      ownComments: () => arrive(() => this.comments.map((one) => ({ ...one, url: '' }))),
      createComment: (_, body) => arrive(() => this.add(body).id),
      updateComment: (_, id, body) => arrive(() => void Object.assign(this.#find(id), { body })),
      deleteComment: (_, id) => arrive(() => void this.comments.splice(this.comments.indexOf(this.#find(id)), 1)),
      headOf: () => arrive(() => this.head),
    } satisfies Partial<Forge> as unknown as Forge
  }

  add(body: string): Comment {
    const made = { id: (this.#lastId += 1), body }
    this.comments.push(made)
    return made
  }

  #find(id: number): Comment {
    const found = this.comments.find((one) => one.id === id)
    if (found === undefined) throw Object.assign(new Error('Not Found'), { status: 404 })
    return found
  }
}

function markerOf(run: number, commit: string): Marker {
  return { kind: 'plan', platform: 'p', models: 'models', commit, run: { id: run, attempt: 1 }, digest: null }
}

function keep(conversation: Conversation, scheduler: fc.Scheduler, run: number, commit: string): Promise<Kept> {
  const job = { owner: 'o', repo: 'r', event: { kind: 'pull-request' } } as unknown as Job
  const io = { now: () => 0, wait: () => Promise.resolve() }
  const pullRequest = { forge: conversation.connect(scheduler), job, number: 1, io }
  return keepComment(pullRequest, markerOf(run, commit), ({ newerHead }) =>
    newerHead === null ? 'latest' : 'not the latest',
  )
}

const runs = fc.uniqueArray(fc.integer({ min: 2, max: 9 }), { minLength: 2, maxLength: 4 })

describe('runs at the same time', () => {
  it('leave one comment, whoever makes it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), runs, async (scheduler, ids) => {
        const conversation = new Conversation()
        const all = Promise.all(ids.map((id) => keep(conversation, scheduler, id, LATEST)))
        await scheduler.waitFor(all)
        expect(conversation.comments).toHaveLength(1)
      }),
      { numRuns: runsOf('LAW_RUNS', { sample: 100, long: 500 }) },
    )
  })

  it('leave the plan of the newer one, where two of them make a comment', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (scheduler) => {
        const conversation = new Conversation()
        await scheduler.waitFor(
          Promise.all([keep(conversation, scheduler, 2, LATEST), keep(conversation, scheduler, 3, LATEST)]),
        )
        expect(conversation.comments.map(({ body }) => readMarker(body)?.run.id)).toEqual([3])
      }),
      { numRuns: runsOf('LAW_RUNS', { sample: 100, long: 500 }) },
    )
  })

  it('one after the other leave the plan of the newest, whichever comes last', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), runs, async (scheduler, ids) => {
        const conversation = new Conversation()
        for (const id of ids) await scheduler.waitFor(keep(conversation, scheduler, id, LATEST))
        expect(conversation.comments.map(({ body }) => readMarker(body)?.run.id)).toEqual([Math.max(...ids)])
      }),
    )
  })

  it('for several commits leave the plan of the latest, or one that says that it is not', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.boolean(), async (scheduler, isThere) => {
        const conversation = new Conversation()
        if (isThere) conversation.add(`x\n\n${markerLine(markerOf(1, OLDEST))}`)
        const all = Promise.all([
          keep(conversation, scheduler, 2, OLDER),
          keep(conversation, scheduler, 3, LATEST),
          keep(conversation, scheduler, 4, OLDER),
        ])
        await scheduler.waitFor(all)
        const [only, ...others] = conversation.comments
        expect(others).toEqual([])
        const isLatest = readMarker(only?.body ?? '')?.commit === LATEST
        expect(only?.body.startsWith(isLatest ? 'latest' : 'not the latest')).toBe(true)
      }),
      { numRuns: runsOf('LAW_RUNS', { sample: 100, long: 500 }) },
    )
  })
})
