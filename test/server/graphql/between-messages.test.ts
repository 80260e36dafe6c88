import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { betweenMessages } from '../../../src/server/graphql/subscriptions/between-messages.ts'

/** Longer than the longest time for which other work waits. */
const LONG_MS = 15

function work(): void {
  const end = performance.now() + LONG_MS
  while (performance.now() < end);
}

it('lets other work run between messages that are ready at once', async () => {
  const { promise: change, resolve: tell } = Promise.withResolvers<undefined>()
  const subscribers = Array.from({ length: 4 }, async function* () {
    yield await change
  })
  const steps: string[] = []
  const made = subscribers.map(async (views) => {
    for await (const _ of betweenMessages(views)) {
      work()
      steps.push('message')
    }
  })
  const over = new AbortController()
  const others = (async () => {
    while (!over.signal.aborted) {
      await setImmediate()
      if (steps.at(-1) === 'message') steps.push('other')
    }
  })()
  tell(undefined)
  await Promise.all(made)
  over.abort()
  await others
  expect(steps.slice(0, 7)).toStrictEqual(['message', 'other', 'message', 'other', 'message', 'other', 'message'])
})

it('ends the source when its reader leaves, while it waits', async () => {
  const ended: string[] = []
  const source = {
    next: () => new Promise<never>(() => undefined),
    return: () => {
      ended.push('ended')
      return Promise.resolve({ done: true as const, value: undefined })
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
  const views = betweenMessages(source)
  void views.next()
  expect([await views.return?.(), ended]).toStrictEqual([{ done: true, value: undefined }, ['ended']])
})
