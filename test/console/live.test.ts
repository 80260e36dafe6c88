import { once } from 'node:events'
import { connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { beforeEach, expect, it, vi } from 'vitest'
import { addConsole } from '../../src/console/console.ts'
import { eventStream } from '../../src/console/pages/systems/analyse/event-stream.ts'
import { HoldfastError, type ErrorCode } from '../../src/lib/errors.ts'
import { findAccountByLogin } from '../../src/platform/access/accounts/accounts.ts'
import { tokenHash } from '../../src/platform/access/sessions/token-hash.ts'
import { createEvent } from '../../src/platform/systems/events.ts'
import { EVERYWHERE } from '../../src/platform/systems/reach.ts'
import { deleteArtifact } from '../../src/store/access/artifacts.ts'
import { writeAccess } from '../../src/store/domains.ts'
import { giveToken } from '../support/access.ts'
import { HOUR, houseModel, makeHouse, type House } from '../support/analyse-house.ts'
import { applyAll } from '../support/domain.ts'
import { heapInUse } from '../support/heap-in-use.ts'
import { OPERATOR } from '../support/console-server.ts'
import { consoleVisitor, visitorWith, type ConsoleVisitor } from '../support/console-visitor.ts'
import { startAnother } from '../support/login-server.ts'
import { operator, server, useConsole } from '../support/one-console.ts'

// What Analyse is sent as it is stored: nothing is missed between what was read and what is followed.

let house: House
useConsole()
beforeEach(async () => {
  house = await makeHouse(server.context)
})

const BEGIN = Date.now() - HOUR
const send = (value: number) => house.send([house.point('return', value, BEGIN + value * 1_000)])
const pathOf = (what: string) => house.path('return').replace('/analyse?', `/analyse/${what}?`)

/** The values of the points that a stream begins with, up to the one that is awaited, and the cursor after it. */
async function followUntil(awaited: number, visitor: ConsoleVisitor, path: string, headers = {}) {
  const end = new AbortController()
  const answer = await visitor.open(path, end.signal, headers)
  let text = ''
  for await (const chunk of answer.body ?? []) {
    text += Buffer.from(chunk).toString()
    const events = [...text.matchAll(/id: (.+)\ndata: (.+)\n\n/g)]
    const points = events.flatMap(([, , told = '']) => JSON.parse(told) as [string, number, number][])
    const values = points.map(([, , value]) => value)
    const cursor = events.at(-1)?.[1] ?? ''
    if (values.at(-1) === awaited) return { values, cursor, text, leave: () => end.abort() }
  }
  throw new Error(`the stream has ended without ${awaited}: ${text}`)
}

it('begins where the data ends, on another server too, and goes on where the line broke', async () => {
  const other = await startAnother(server, { addPages: addConsole })
  await send(20)
  const { after } = JSON.parse((await operator.get(pathOf('data'))).text) as { after: string }
  await send(21)
  const path = `${pathOf('live')}&after=${after}`
  const first = await followUntil(21, await consoleVisitor(other, OPERATOR), path)
  first.leave()
  await send(22)
  await send(23)
  // A browser asks for the same address again, and says what it has seen last.
  const again = await followUntil(23, operator, path, { 'last-event-id': first.cursor })
  expect(again.values).toStrictEqual([22, 23])
  // Events have no cursor, so some may have come meanwhile.
  expect(again.text).toMatch(/^retry: 2000\n\n(?:event: setpoints\n.*\n\n)?event: events\n/)
  again.leave()
  await other.close()
})

const pathAfterData = async () => {
  const { after } = JSON.parse((await operator.get(pathOf('data'))).text) as { after: string }
  return `${pathOf('live')}&after=${after}`
}

it('tells of events that came between the data and the stream, and of no earlier ones', async () => {
  const eventModel = { code: 'told-late', eventType: 'SINGLE_POINT', entityType: 'SYSTEM' }
  await applyAll(server.context, { ...houseModel(), eventModels: [eventModel] })
  const before = await pathAfterData()
  await createEvent(server.context, EVERYWHERE, { system: house.systemUuid, eventModel: eventModel.code })
  const after = await pathAfterData()
  const streams = [before, after].map((path) => followUntil(30, operator, path))
  await send(30)
  const [first, second] = await Promise.all(streams)
  expect([first?.text, second?.text].map((text) => text?.includes('event: events\n'))).toStrictEqual([true, false])
  first?.leave()
  second?.leave()
})

it('has the first datapoint of a system, too, which arrived before the stream was open', async () => {
  const [path = ''] = house.path().split('?')
  const { text } = await operator.get(path)
  const [, after = ''] = /data-first-datapoint="([\w-]+)"/.exec(text) ?? []
  await send(24)
  const { values, leave } = await followUntil(24, operator, `${path}/live?after=${after}`)
  expect(values).toStrictEqual([24])
  leave()
})

/** What a browser is sent where nothing more can be followed. */
async function textAfter(code: ErrorCode): Promise<string> {
  let ended = 0
  const next = () => Promise.reject(new HoldfastError(code, 'no more'))
  const text = await new Response(eventStream([{ next, end: () => (ended += 1) }])).text()
  expect(ended).toBeGreaterThan(0)
  return text
}

it('ends without a word where a browser is to try again, and says why where it is not', async () => {
  for (const code of ['UNAVAILABLE', 'CONFLICT'] as const) expect(await textAfter(code)).toBe('retry: 2000\n\n')
  // It would be too slow again at once.
  expect(await textAfter('LIMIT_EXCEEDED')).toBe('retry: 2000\n\nretry: 30000\n\n')
  for (const code of ['UNAUTHENTICATED', 'FORBIDDEN'] as const)
    expect(await textAfter(code)).toContain('event: ended\ndata: "no more"')
})

it('keeps the failure of a source while the browser reads nothing', async () => {
  const { promise, reject } = Promise.withResolvers<string>()
  const quiet = { next: () => new Promise<string>(() => undefined), end: () => undefined }
  const stream = eventStream([{ next: () => promise, end: () => undefined }, quiet])
  reject(new HoldfastError('UNAUTHENTICATED', 'signed out'))
  // A rejection that nobody has handled by the next turn ends the process.
  await setImmediate()
  expect(await new Response(stream).text()).toContain('data: "signed out"')
})

it('drops what waits for a browser that reads nothing when its right has ended', async () => {
  const { promise, reject } = Promise.withResolvers<string>()
  const quiet = { next: () => promise, end: () => undefined }
  const waiting = { next: () => Promise.resolve('data: "too late"\n\n'), end: () => undefined }
  const stream = eventStream([quiet, waiting])
  await setImmediate()
  reject(new HoldfastError('UNAUTHENTICATED', 'signed out'))
  await setImmediate()
  expect(await new Response(stream).text()).toBe('retry: 2000\n\nevent: ended\ndata: "signed out"\n\n')
})

it('still tells that there are events when another source fails, for no cursor brings that back', async () => {
  const { promise, reject } = Promise.withResolvers<string>()
  const failing = { next: () => promise, end: () => undefined }
  const events = { next: () => Promise.resolve('event: events\ndata: {}\n\n'), end: () => undefined }
  const stream = eventStream([failing, events])
  await setImmediate()
  reject(new HoldfastError('UNAVAILABLE', 'try again'))
  await setImmediate()
  expect(await new Response(stream).text()).toBe('retry: 2000\n\nevent: events\ndata: {}\n\n')
})

it('breaks the connection of a browser that reads nothing, half a minute after its right has ended', async () => {
  const account = await findAccountByLogin(server.context, 'machine', 'operator')
  const token = await giveToken(server.context, { uuid: account?.uuid ?? '' })
  const text = 'x'.repeat(1_000)
  await house.send([house.point('note', text, BEGIN), house.point('return', 1, BEGIN)])
  const broken = Promise.withResolvers<void>()
  const spy = halfMinutesAtOnce(broken.resolve)
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  const [path = ''] = house.path().split('?')
  socket.write(`GET ${path}/live HTTP/1.1\r\nhost: 127.0.0.1\r\ncookie: ${visitorWith(server, token).cookie}\r\n\r\n`)
  socket.pause()
  await once(socket, 'readable')
  const reading = await operator.open(`${path}/live`, new AbortController().signal)
  // More than the connection holds.
  for (let batch = 0; batch < 20; batch += 1)
    await house.send(
      Array.from({ length: 1_000 }, (_, index) => house.point('note', text, BEGIN + 1 + batch * 1_000 + index)),
    )
  await send(2)
  for await (const chunk of reading.body ?? []) if (Buffer.from(chunk).includes(',2]]')) break
  await writeAccess(server.context.database, server.context.domain.id, (sql) =>
    deleteArtifact(sql, server.context.domain.id, 'AccessToken', tokenHash(token)),
  )
  await broken.promise
  let received = ''
  socket.on('error', () => undefined).on('data', (chunk: Buffer) => (received += chunk.toString()))
  await once(socket, 'close')
  expect(received.length).toBeGreaterThan(1_000_000)
  expect(received).not.toContain('event: ended')
  expect(received).not.toMatch(/0\r\n\r\n$/)
  spy.mockRestore()
})

/** Lets what waits for half a minute happen at once. */
function halfMinutesAtOnce(happened: () => void) {
  const { setTimeout: later } = globalThis
  const hasten = (work: () => void, ms?: number, ...given: []) =>
    ms === 30_000 ? later(() => (work(), happened()), 1) : later(work, ms, ...given)
  return vi.spyOn(globalThis, 'setTimeout').mockImplementation(hasten)
}

it('keeps nothing of what it has sent, however long another source is silent', async () => {
  const quiet = { next: () => new Promise<string>(() => undefined), end: () => undefined }
  let sent = 0
  const busy = () => Promise.resolve(`data: ${(sent += 1)} ${'x'.repeat(1_000)}\n\n`)
  const reader = eventStream([{ next: busy, end: () => undefined }, quiet]).getReader()
  const before = heapInUse()
  for (let read = 0; read < 20_000; read += 1) await reader.read()
  expect(heapInUse() - before).toBeLessThan(5_000_000)
  await reader.cancel()
})

it('sends a comment while nothing happens, so that no proxy ends the connection', async () => {
  const quiet = { next: () => new Promise<string>(() => undefined), end: () => undefined }
  const reader = eventStream([quiet], '', 1).getReader()
  const texts = [await reader.read(), await reader.read()].map(({ value }) => Buffer.from(value ?? []).toString())
  expect(texts).toStrictEqual(['retry: 2000\n\n', ':\n\n'])
  await reader.cancel()
})

it('is not followed in a window of the past, so its data has no cursor', async () => {
  const { text } = await operator.get(`${pathOf('data')}&to=${new Date(BEGIN).toISOString()}`)
  expect(JSON.parse(text)).toMatchObject({ isLive: false, after: null })
})

it('leaves nothing open where only one of its two subscriptions is possible', async () => {
  const [path = ''] = house.path().split('?')
  const end = new AbortController()
  // The connection of an answer that nothing refers to is closed.
  const answers: Response[] = []
  const status = async (address: string) => {
    const answer = await operator.open(address, end.signal)
    answers.push(answer)
    return answer.status
  }
  for (let open = 0; open < 99; open++) expect(await status(`${path}/live`)).toBe(200)
  const refused = await operator.open(pathOf('live'), end.signal)
  expect([refused.status, await refused.text()]).toStrictEqual([413, expect.stringContaining('100 subscriptions')])
  expect(await status(`${path}/live`)).toBe(200)
  expect(await status(`${path}/live`)).toBe(413)
  expect(answers).toHaveLength(101)
  end.abort()
})
