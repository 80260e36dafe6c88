import { encode } from '@msgpack/msgpack'
import { beforeAll, expect, it } from 'vitest'
import { makeAnySite, type AnySite } from '../support/any-site.ts'
import { type Answer } from './test-server.ts'
import { context, server, useServer } from './one-server.ts'

// Values are taken and read back as they were sent. What the specification says of them: test/conformance/specification.

const NOON = '2026-03-01T12:00:00Z'
const CHARACTERISTICS = {
  shown: { dataType: 'FLOAT', precision: 1 },
  stepped: { dataType: 'FLOAT', boundaryMin: 0, boundaryMax: 21.1, boundaryStep: 0.1, precision: 1 },
  time: { dataType: 'TIME' },
  opening: { dataType: 'TIME', boundaryMin: '08:00:00Z', boundaryMax: 'PT18H30M' },
  json: { dataType: 'JSON' },
  integer: { dataType: 'INTEGER' },
  select: { dataType: 'SELECT', options: ['on', 'off'].map((key) => ({ key, label: key })) },
  boolean: { dataType: 'BOOLEAN' },
}

let site: AnySite

useServer()
beforeAll(async () => {
  site = await makeAnySite(context, CHARACTERISTICS)
})

type Code = keyof typeof CHARACTERISTICS

function send(body: string | Uint8Array, headers = {}): Promise<Answer> {
  return server.call({ path: '/rest/v1/data-points/add', body, headers })
}

async function read(code: Code, more = ''): Promise<string> {
  const { component_uuid, service_uuid, characteristic_uuid } = site.point(code, null)
  const query = new URLSearchParams({ component_uuid, service_uuid, characteristic_uuid }).toString()
  return (await server.call({ method: 'GET', path: `/rest/v1/data-points?${query}${more}` })).text
}

it.each<[Code, value: string, shown: string]>([
  ['shown', '2.25', '2.25'],
  ['time', '"06:30:00Z"', '"06:30:00Z"'],
  ['time', '"06:30:00.5+02:00"', '"06:30:00.5+02:00"'],
  ['time', '"06:30:00"', '"06:30:00"'],
  ['opening', '"10:00:00+02:00"', '"10:00:00+02:00"'],
  ['json', '1e22', '1e+22'],
  ['json', '{"a":[1e22,12345678901234567000]}', '{"a":[1e+22,12345678901234567000]}'],
  ['integer', '"9223372036854775807"', '"9223372036854775807"'],
  ['integer', '9007199254740993', '"9007199254740993"'],
  ['integer', '-9223372036854775808', '"-9223372036854775808"'],
])('%s takes %s', async (code, value, shown) => {
  const body = JSON.stringify([site.point(code, 'VALUE', NOON)]).replace('"VALUE"', value)
  // Twice: the second time it may be read by the way it is known to be written.
  for (let time = 0; time < 2; time++) expect(await send(body)).toMatchObject({ status: 201 })
  expect(await read(code)).toContain(`"points":[{"timestamp":"2026-03-01T12:00:00.000Z","value":${shown}}]`)
})

it('the boundaries of a TIME are compared in UTC', async () => {
  const answers = ['07:59:59', '08:00:00+01:00', '18:30:01', '17:30:00-02:00'].map((value) =>
    site.point('opening', value),
  )
  expect((await send(JSON.stringify(answers))).json).toMatchObject({
    errorCount: 4,
    errors: answers.map((_, index) => ({ pointer: `/${index}/value`, code: 'out-of-bounds' })),
  })
})

it('a float32 of a device is what the device meant', async () => {
  const body = encode([site.point('stepped', 21.1, NOON)], { forceFloat32: true })
  expect(await send(body, { 'content-type': 'application/msgpack' })).toMatchObject({ status: 201 })
  expect(await read('stepped')).toContain('"value":21.1}')
})

it('a timestamp of .NET, Go or OpenTelemetry is rounded', async () => {
  const times = ['2026-03-02T00:00:00.1234567Z', '2026-03-02T00:00:01.999999999+00:00']
  expect(await send(JSON.stringify(times.map((at) => site.point('shown', 1, at))))).toMatchObject({ status: 201 })
  const text = await read('shown', '&from=2026-03-02T00:00:00Z')
  expect(text).toContain('2026-03-02T00:00:00.123457Z')
  expect(text).toContain('2026-03-02T00:00:02.000Z')
})

it('a timestamp in seconds is refused, and says what it is', async () => {
  expect((await send(JSON.stringify([site.point('shown', 1, 1_767_225_600)]))).json).toMatchObject({
    errors: [
      {
        pointer: '/0/timestamp',
        code: 'timestamp-unit',
        retryable: false,
        detail: expect.stringMatching(
          /seconds since 1970 \(2026-01-01T00:00:00.000Z\); milliseconds are needed/,
        ) as string,
      },
    ],
  })
})

it.each<[Code, readonly unknown[]]>([
  ['boolean', [true, false]],
  ['select', ['on', 'off']],
])('a %s that changes more often than a chart has points is drawn all the same', async (code, values) => {
  const start = Date.UTC(2026, 2, 1)
  const points = Array.from({ length: 2_000 }, (_, index) =>
    site.point(code, values[index % 2], start + index * 10_000 + (index % 2) * 2_000),
  )
  expect(await send(JSON.stringify(points))).toMatchObject({ status: 201 })
  const range = '&from=2026-03-01T00:00:00Z&to=2026-03-01T06:00:00Z&max_points=50'
  const { states } = JSON.parse(await read(code, range)) as { states: { count: number; value: unknown }[] }
  expect(states.length).toBeLessThanOrEqual(50)
  expect(states.reduce((sum, { count }) => sum + count, 0)).toBe(2_000)
})
