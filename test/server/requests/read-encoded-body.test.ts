import { Hono } from 'hono'
import { brotliCompressSync } from 'node:zlib'
import { expect, it } from 'vitest'
import type { AppEnv } from '../../../src/server/app-env.ts'
import { HoldfastError } from '../../../src/lib/errors.ts'
import type { Hold } from '../../../src/server/requests/held-bytes.ts'
import { readEncodedBody } from '../../../src/server/requests/read-encoded-body.ts'

const BYTES = 4_000_000
const LIMIT = { bytes: BYTES, what: 'a batch' }
const BODY = brotliCompressSync(Buffer.alloc(BYTES, ' '))

const send = async (hold: Hold): Promise<string> => {
  const app = new Hono<AppEnv>()
  app.post('/', async (context) => context.text(String((await readEncodedBody(context, LIMIT, hold)).length)))
  app.onError((error, context) => context.text(error.message))
  const headers = { 'content-encoding': 'br' }
  const answer = await app.request('/', { method: 'POST', headers, body: new Uint8Array(BODY) }, {})
  return answer.text()
}

it('refuses a compressed body as soon as there is no room for more of it', async () => {
  const held: number[] = []
  const hold: Hold = (bytes) => {
    held.push(bytes)
    if (bytes > BYTES / 4) throw new HoldfastError('UNAVAILABLE', 'no room')
  }
  expect(await send(hold)).toBe('no room')
  expect(Math.max(...held)).toBeLessThan(BYTES / 2)
})

it('holds a decompressed body, and decompresses few at once', async () => {
  const begun = new Set<number>()
  let most = 0
  const sent = Array.from({ length: 12 }, async (_, index) => {
    let last = 0
    const hold: Hold = (bytes) => {
      last = bytes
      if (bytes > BODY.length) begun.add(index)
      most = Math.max(most, begun.size)
      if (bytes === BYTES) begun.delete(index)
    }
    expect(await send(hold)).toBe(String(BYTES))
    return last
  })
  expect(new Set(await Promise.all(sent))).toStrictEqual(new Set([BYTES]))
  expect(most).toBeGreaterThan(0)
  expect(most).toBeLessThanOrEqual(4)
})
