import { encode } from '@msgpack/msgpack'
import { expect } from 'vitest'
import { HOSTS } from '../../server/test-server.ts'
import { ADD, datapoints, request, SET, setpoints } from './sent.ts'
import { section, type Sent, type Statement } from './statement.ts'

// What values there are of a characteristic, who sets them, and which events there are.

const asText = (pattern: RegExp): unknown => expect.stringMatching(pattern)
const OUT_OF_BOUNDS = { status: 422, codes: ['out-of-bounds'] }

const ONE: { readonly [code: string]: boolean | number } = { boolean: true, integer: 3 }

/** An event of a new model is made and ended. */
function endedEvent(eventType: 'SINGLE_POINT' | 'RANGED', entityType: 'SYSTEM' | 'COMPONENT'): Sent {
  return async ({ server, site }) => {
    const host = HOSTS.second
    const code = `${eventType}-${entityType}`
    const model = `{ code: "${code}", eventType: ${eventType}, entityType: ${entityType} }`
    await server.data(`mutation { createEventModel(input: ${model}) { code } }`, {}, host)
    const of = entityType === 'SYSTEM' ? `system: "${site.systemUuid}"` : `component: "${site.componentUuids[0]}"`
    const create = `mutation { createEvent(input: { eventModel: "${code}", ${of} }) { uuid } }`
    const { createEvent } = await server.data(create, {}, host)
    const { uuid } = createEvent as { uuid: string }
    return server.graphql(`mutation { endEvent(uuid: "${uuid}") { endAt } }`, {}, host)
  }
}

export const VALUE_STATEMENTS: readonly Statement[] = [
  ...section(
    '2 Characteristic: what its values are',
    ['a FLOAT is on a step of 0.5: 0', datapoints('step', 0), { status: 201 }],
    ['0.5', datapoints('step', 0.5), { status: 201 }],
    ['1.5', datapoints('step', 1.5), { status: 201 }],
    ['and not 0.7', datapoints('step', 0.7), { status: 422, codes: ['off-step'] }],
    ['also where there is a boundaryMin: of 0.25', datapoints('shifted', 0.5), { status: 201 }],
    [
      'a FLOAT on a step of 0.5 is not 0.75, even with boundaryMin 0.25',
      datapoints('shifted', 0.75),
      { status: 201 },
      'Devices with an offset count steps from boundaryMin, so Holdfast accepts these values, too.',
    ],
    ['and not 0.6', datapoints('shifted', 0.6), { status: 422, codes: ['off-step'] }],
    ['boundaryMin is the smallest value', datapoints('bounded', 0), { status: 201 }],
    ['and less is refused', datapoints('bounded', -0.1), { status: 422, codes: ['out-of-bounds'] }],
    ['boundaryMax is the largest value', datapoints('bounded', 21), { status: 201 }],
    ['and more is refused', datapoints('bounded', 21.1), { status: 422, codes: ['out-of-bounds'] }],
    ...(
      [
        ['day', '2026-01-01', '2025-12-31', '2026-12-31', '2027-01-01'],
        ['hour', '06:00:00', '05:59:59', '22:00:00', '22:00:01'],
        ['moment', '2026-01-01T00:00:00Z', '2025-12-31T23:59:59Z', '2026-06-01T02:00:00+02:00', '2026-06-01T00:00:01Z'],
      ] as const
    ).flatMap(([code, least, less, most, more]) => [
      [`of a ${code}, boundaryMin is the smallest value`, datapoints(code, least), { status: 201 }] as const,
      [`and less than the ${code} is refused`, datapoints(code, less), OUT_OF_BOUNDS] as const,
      [`of a ${code}, boundaryMax is the largest value`, datapoints(code, most), { status: 201 }] as const,
      [`and more than the ${code} is refused`, datapoints(code, more), OUT_OF_BOUNDS] as const,
    ]),
    ['precision refuses nothing', datapoints('precise', 2.25), { status: 201 }],
    ['a SELECT takes the key of an option', datapoints('select', 'on'), { status: 201 }],
    ['and no other text', datapoints('select', 'On'), { status: 422 }],
    ['several where it is multiple', datapoints('multiple', ['on', 'off']), { status: 201 }],
    ['one where it is not', datapoints('select', ['on']), { status: 422 }],
    ['a JSON meets its schema', datapoints('json', { level: 3 }), { status: 201 }],
    ['or is refused', datapoints('json', { level: 'x' }), { status: 422 }],
    ['also one that refers to itself', datapoints('tree', { below: [{ below: [{ level: 3 }] }] }), { status: 201 }],
    ['to any depth', datapoints('tree', { below: [{ below: [{ level: 'x' }] }] }), { status: 422 }],
    ['a TIME is one of JSON Schema, with its offset', datapoints('time', '06:30:00+02:00'), { status: 201 }],
    ['a DATE', datapoints('date', '2026-01-31'), { status: 201 }],
    ['a TIMESTAMP', datapoints('timestamp', '2026-01-31T06:30:00Z'), { status: 201 }],
    ['a TIMESPAN', datapoints('timespan', 'PT1H30M'), { status: 201 }],
    ['a STRING', datapoints('string', 'warm'), { status: 201 }],
    ['an INTEGER', datapoints('integer', 3), { status: 201 }],
    ['a BLOB', datapoints('blob', 'aGVhdA=='), { status: 201 }],
  ),
  ...section(
    '2 Characteristic: who sets its values',
    ['of a SETTING, the user does', setpoints('step', 1.5), { status: 201 }],
    ['and the device reports it', datapoints('step', 1.5), { status: 201 }],
    ['of a MEASUREMENT, only the device does', datapoints('measured', true), { status: 201 }],
    ['and no user', setpoints('measured', true), { status: 422, codes: ['not-settable'] }],
  ),
  ...section(
    '1 Datapoints and setpoints',
    ...([ADD, SET] as const).flatMap((path) => [
      [
        `${path} takes a batch`,
        request(({ site }) => ({
          path,
          body: JSON.stringify(['boolean', 'integer'].map((code) => site.point(code, ONE[code]))),
        })),
        { status: 201, text: '' },
      ] as const,
      [
        `${path} takes one in MessagePack`,
        request(({ site }) => ({
          path,
          body: encode(['boolean', 'integer'].map((code) => site.point(code, ONE[code]))),
          headers: { 'content-type': 'application/msgpack' },
        })),
        { status: 201, text: '' },
      ] as const,
      [`${path} needs a bearer token`, request({ path, body: '[]', authorization: null }), { status: 401 }] as const,
    ]),
  ),
  ...section(
    '2 EventModel',
    ...(['SINGLE_POINT', 'RANGED'] as const).flatMap((eventType) =>
      (['SYSTEM', 'COMPONENT'] as const).map(
        (entityType) =>
          [
            `${eventType} of a ${entityType} is ${eventType === 'RANGED' ? 'a range, which ends' : 'a point in time, which has no end'}`,
            endedEvent(eventType, entityType),
            eventType === 'RANGED' ? { data: { endEvent: { endAt: asText(/Z$/) } } } : { data: { endEvent: null } },
          ] as const,
      ),
    ),
    [
      'limitToPrototypes: others report no such event',
      async ({ server, site }) => {
        const [component] = site.componentUuids
        const host = HOSTS.second
        const model = '{ code: "p", eventType: SINGLE_POINT, entityType: COMPONENT, limitToPrototypes: true }'
        await server.data(`mutation { createEventModel(input: ${model}) { code } }`, {}, host)
        return server.graphql(
          `mutation { createEvent(input: { eventModel: "p", component: "${component}" }) { uuid } }`,
          {},
          host,
        )
      },
      { errors: [{ message: asText(/is no prototype, and only prototypes report events of the model "p"/) }] },
    ],
  ),
]
