import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { eventOf, eventStream } from '../../../src/server/graphql/subscriptions/event-stream.ts'

const read = async (reader: ReadableStreamDefaultReader<Uint8Array>) =>
  Buffer.from((await reader.read()).value ?? []).toString()

async function* asynchronous(events: Iterable<Uint8Array>) {
  yield* events
}

it('sends a comment, each result, and that there are no more', async () => {
  const events = [{ data: { a: 1 } }, { data: { a: 'two\nlines' } }].map(eventOf)
  expect(await text(eventStream(asynchronous(events)))).toBe(
    ':\n\nevent: next\ndata: {"data":{"a":1}}\n\nevent: next\ndata: {"data":{"a":"two\\nlines"}}\n\nevent: complete\ndata:\n\n',
  )
})

it('sends comments while nothing happens, and ends the results with its reader', async () => {
  let isEnded = false
  const results = {
    next: () => new Promise<never>(() => undefined),
    return: () => {
      isEnded = true
      return Promise.resolve({ done: true as const, value: undefined })
    },
  }
  const reader = eventStream(results, 5).getReader()
  expect([await read(reader), await read(reader), await read(reader)]).toStrictEqual([':\n\n', ':\n\n', ':\n\n'])
  await reader.cancel()
  expect(isEnded).toBe(true)
})

it('fails where a result cannot be written', async () => {
  const endless: { self?: object } = {}
  endless.self = endless
  const events = [{ data: endless }].values().map(eventOf)
  await expect(text(eventStream(asynchronous(events)))).rejects.toThrow(TypeError)
})
