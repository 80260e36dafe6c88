import { describe, expect, it } from 'vitest'
import { createSystemCredential } from '../../src/platform/systems/credentials.ts'
import { createSystem } from '../../src/platform/systems/systems.ts'
import { EVERYWHERE } from '../../src/platform/systems/reach.ts'
import { giveToken } from '../support/access.ts'
import { EITHER, NO_DOCUMENTS, NO_LITERALS, NO_NUMBERS, NO_STRINGS, NO_TEXTS, VALUES } from './malformed-json.ts'
import { BATCH_PATHS, server, useMalformedServer, type Body } from './malformed-server.ts'
import { HOSTS, type Answer, type Call } from './test-server.ts'

// Whatever arrives is answered by what is wrong with it, never by a 5xx, and nothing of it is stored.

useMalformedServer()

const point = (value: unknown = 1, timestamp?: unknown) => server.site.point('level', value, timestamp)
/** A batch of one value. */
const around = (value: string, code = 'level'): string =>
  JSON.stringify([server.site.point(code, 'VALUE')]).replace('"VALUE"', () => value)

describe.each(BATCH_PATHS)('POST %s', (path) => {
  const send = (body: Body, call: Call = {}): Promise<Answer> => server.call({ path, body, ...call })
  const json = (value: unknown): Promise<Answer> => send(JSON.stringify(value))
  const exceptions = (bodies: Iterable<Body>, ...statuses: number[]) => server.exceptions(path, bodies, statuses)

  describe('JSON', () => {
    it('that is none is refused, wherever in it the mistake is', async () => {
      const scalars = [...NO_NUMBERS, ...NO_STRINGS, ...NO_LITERALS]
      const all = [
        ...NO_DOCUMENTS,
        ...scalars,
        ...scalars.map((value) => `[${value}]`),
        ...scalars.map((one) => around(one)),
      ]
      expect(new Set(all).size).toBeGreaterThan(500)
      expect(await exceptions(['', ' ', ...all], 400)).toStrictEqual([])
      expect(await server.storedRows()).toBe(0)
    })

    it('that is no UTF-8 is refused', async () => {
      expect(await exceptions(NO_TEXTS, 400)).toStrictEqual([])
      const inText = NO_TEXTS.map((text) => Buffer.concat([Buffer.from('[1,"ä",'), text, Buffer.from(']')]))
      expect(await exceptions(inText, 400)).toStrictEqual([])
    })

    it('that is no list is refused, and a list of something else by its places', async () => {
      const elements = VALUES.filter((value) => value !== '[]')
      expect(
        await exceptions(
          elements.filter((value) => !value.startsWith('[')),
          400,
        ),
      ).toStrictEqual([])
      const answer = await send(`[${elements.join()}]`)
      expect(answer).toMatchObject({ status: 422, json: { errorCount: elements.length } })
      expect(placesOf(answer)).toStrictEqual(Array.from(elements.keys(), String))
      expect(await server.storedRows()).toBe(0)
    })

    it('is taken where a number is asked for and is there, and refused by its place where it is not', async () => {
      const [numbers, others] = [VALUES.filter(isNumber), VALUES.filter((value) => !isNumber(value))]
      expect(
        await exceptions(
          others.map((one) => around(one)),
          422,
        ),
      ).toStrictEqual([])
      expect(await server.storedRows()).toBe(0)
      expect(
        await exceptions(
          numbers.map((one) => around(one)),
          201,
        ),
      ).toStrictEqual([])
    })

    it('that a parser may take or refuse is one or the other', async () => {
      expect(await exceptions(EITHER, 201, 400, 422)).toStrictEqual([])
      expect(await exceptions([`[${'{},'.repeat(9_999)}{}]`], 422)).toStrictEqual([])
      expect(await exceptions([`[${'{},'.repeat(10_000)}{}]`, `[${'[],'.repeat(1_000_000)}[]]`], 413)).toStrictEqual([])
      expect(await server.storedRows()).toBe(0)
    })

    it('of ten megabytes of brackets is refused', async () => {
      const open = '['.repeat(5_000_000)
      expect(
        await exceptions([open + open, '{"a":'.repeat(2_000_000), `["${'\\u'.repeat(5_000_000)}`], 400),
      ).toStrictEqual([])
      expect(
        await exceptions([open + ']'.repeat(5_000_000), around(`${open}${']'.repeat(5_000_000)}`)], 400),
      ).toStrictEqual([])
      expect(await exceptions([around(`[${'[],'.repeat(1_000_000)}[]]`)], 413)).toStrictEqual([])
    })

    it('cut off anywhere is refused', async () => {
      const whole = Buffer.from(JSON.stringify([point(20.5, '2026-03-01T12:00:00Z'), point('ä😀')]))
      const cuts = Array.from({ length: whole.length }, (_, length) => whole.subarray(0, length))
      expect(await exceptions(cuts, 400)).toStrictEqual([])
    })

    it('is refused where two members have one name, since nobody knows which one is meant', async () => {
      for (const value of ['1,"value":"a"', '"a","value":1', '{"a":1,"a":1}'])
        expect((await send(around(value))).json).toMatchObject({
          status: 400,
          detail: expect.stringMatching(/^the element \/0 of the body has "\w+" twice/) as string,
        })
      expect(await server.storedRows()).toBe(0)
    })
  })

  describe('an element', () => {
    const uuid = '6f1c3f0e-4a53-4c8e-9c52-1f6f0d1a2b3c'

    it.each<[string, object, string, string]>([
      ['without a system', { system_uuid: undefined }, 'system_uuid', 'missing-field'],
      ['without a value', { value: undefined }, 'value', 'missing-field'],
      ['with a null', { component_uuid: null }, 'component_uuid', 'null-value'],
      ['with a null value', { value: null }, 'value', 'null-value'],
      ['with a number for a uuid', { service_uuid: 5 }, 'service_uuid', 'wrong-type'],
      ['with a list for a uuid', { service_uuid: [uuid] }, 'service_uuid', 'wrong-type'],
      ['with half a uuid', { characteristic_uuid: uuid.slice(1) }, 'characteristic_uuid', 'wrong-type'],
      ['with SQL for a uuid', { system_uuid: "' or 1=1 --" }, 'system_uuid', 'wrong-type'],
      ['with a uuid in braces', { system_uuid: `{${uuid}}` }, 'system_uuid', 'wrong-type'],
      ['of an unknown component', { component_uuid: uuid }, 'component_uuid', 'unknown-component'],
      ['of an unknown service', { service_uuid: uuid }, 'service_uuid', 'unknown-service'],
      ['of an unknown characteristic', { characteristic_uuid: uuid }, 'characteristic_uuid', 'unknown-characteristic'],
      ['of another system', { system_uuid: uuid }, 'system_uuid', 'unknown-system'],
      ['with a field of its own', { unit: '°C' }, 'unit', 'unknown-field'],
      ['with a text for a number', { value: '20' }, 'value', 'wrong-type'],
      ['with true for a number', { value: true }, 'value', 'wrong-type'],
      ['with an object for a number', { value: { value: 1 } }, 'value', 'wrong-type'],
      ['of a far year', { timestamp: '2999-01-01T00:00:00Z' }, 'timestamp', 'timestamp-ahead'],
      ['at a local time', { timestamp: '2026-03-01T12:00:00' }, 'timestamp', 'timestamp-format'],
      ['at no time', { timestamp: null }, 'timestamp', 'null-value'],
      ['at half a millisecond', { timestamp: 1.5 }, 'timestamp', 'timestamp-format'],
      ['in seconds', { timestamp: 1_767_225_600 }, 'timestamp', 'timestamp-unit'],
    ])('%s is refused by its place', async (_, change, field, code) => {
      const answer = await json([point(), { ...point(), ...change }, point()])
      expect(answer).toMatchObject({ status: 422, json: { errorCount: 1, errors: [{ pointer: `/1/${field}`, code }] } })
      expect(await server.storedRows()).toBe(0)
    })

    it('of another domain is as unknown as one that nobody has, and that of another system not for a device', async () => {
      const foreign = await send(JSON.stringify([point()]), { host: HOSTS.second })
      expect(foreign).toMatchObject({
        status: 422,
        json: { errors: [{ pointer: '/0/component_uuid', code: 'unknown-component' }] },
      })
      const { context } = server
      const other = await createSystem(context, EVERYWHERE, { name: 'Another' })
      const { uuid: accountUuid } = await createSystemCredential(context, other.uuid)
      const token = await giveToken(context, { uuid: accountUuid }, { scope: 'service' })
      const refused = await send(JSON.stringify([point()]), { authorization: `Bearer ${token}` })
      expect(refused).toMatchObject({ status: 403, json: { code: 'FORBIDDEN' } })
      expect(await server.storedRows()).toBe(0)
    })

    it('of text may have any character but U+0000 and half of a pair, and no byte order mark before it', async () => {
      const refused = [
        String.raw`"\u0000"`,
        String.raw`"a\u0000b"`,
        String.raw`"\ud800"`,
        String.raw`"\udc00\ud800"`,
        '"\ufeff"',
      ]
      expect(
        await exceptions(
          refused.map((value) => around(value, 'word')),
          422,
        ),
      ).toStrictEqual([])
      expect(await server.storedRows()).toBe(0)
      const taken = ['""', '"a\ufeff"', '"\uffff"', String.raw`"\u0001"`, '"\u{10ffff}"', '"\u2028"']
      expect(
        await exceptions(
          taken.map((value) => around(value, 'word')),
          201,
        ),
      ).toStrictEqual([])
    })
  })

  it.each(['text/plain', 'text/json', 'application/xml', 'multipart/form-data; boundary=a', 'json', ''])(
    'the media type %j is refused',
    async (type) => {
      const refused = await send('[]', { headers: { 'content-type': type } })
      expect(refused).toMatchObject({ status: 415, json: { status: 415 } })
      expect(refused.headers['accept-post']).toContain('application/json')
      const latin = await send('[]', { headers: { 'content-type': 'application/json; charset=latin1' } })
      expect(latin.status).toBe(415)
      expect((await send('[]', { headers: { 'content-type': 'application/json;charset=UTF8' } })).status).toBe(201)
    },
  )

  describe('what is too large', () => {
    const limit = 16 * 1_048_576

    it('is refused, announced or not', async () => {
      expect(await exceptions([Buffer.alloc(limit + 1, ' ')], 413)).toStrictEqual([])
      const headers = { 'transfer-encoding': 'chunked' }
      expect(await send(Buffer.alloc(limit + 1, ' '), { headers })).toMatchObject({ status: 413 })
    })

    it('is also what takes too long to check, however it is asked for', async () => {
      const slow = JSON.stringify(Array.from({ length: 500 }, () => server.site.point('slow', `${'a'.repeat(9_990)}!`)))
      for (const prefer of ['handling=strict', 'handling=lenient'])
        expect(await send(slow, { headers: { prefer } })).toMatchObject({
          status: 413,
          json: { code: 'LIMIT_EXCEEDED' },
        })
      expect(await server.storedRows()).toBe(0)
    })

    it('may be as large as the limit', async () => {
      const body = Buffer.alloc(limit, ' ')
      body.write(JSON.stringify([point()]))
      expect((await send(body)).status).toBe(201)
    })
  })
})

it('answers to setpoints are read as strictly', async () => {
  const path = '/rest/v1/set-points/acknowledge'
  const scalars = [...NO_NUMBERS, ...NO_STRINGS, ...NO_LITERALS]
  const texts = [...NO_DOCUMENTS, ...NO_TEXTS, ...scalars.map((value) => `[{"uuid":${value}}]`)]
  expect(await server.exceptions(path, texts, [400])).toStrictEqual([])
  const values = [...VALUES, ...EITHER].map((value) => (typeof value === 'string' ? `[{"uuid":${value}}]` : value))
  expect(await server.exceptions(path, values, [400, 422])).toStrictEqual([])
})

function isNumber(value: string): boolean {
  return /^-?\d/.test(value)
}

/** The elements that the listed errors are about. */
function placesOf({ json }: Answer): (string | undefined)[] {
  const { errors } = json as { errors: { pointer: string }[] }
  return errors.map(({ pointer }) => pointer.split('/')[1])
}
