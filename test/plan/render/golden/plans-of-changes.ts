import type { Plan } from '../../../../src/plan/plan.ts'
import { at, created, managed, moved, planOf, updated } from '../plan-builder.ts'
import { temperature, mode, curve, link, machine, heating } from './sample-records.ts'

/** Of a pull request that changes nothing, while others wait, and somebody changed the platform. */
export function ownPart(): Plan {
  const waiting = { count: 1, records: [{ type: 'services', key: 'climate', action: 'update' }] } as const
  return { ...noChanges(), own: { scope: [], waiting, waitsFor: [], drifted: 2, notCompared: 1 } }
}

export function noChanges(): Plan {
  return planOf({ scope: { characteristics: managed(200), services: managed(42), users: managed(1) } })
}

export function firstPlan(): Plan {
  return planOf({
    changes: [
      created(
        'characteristics',
        'room-temperature',
        temperature('room-temperature', {
          boundaryMin: -20,
          boundaryMax: 110,
          metadataKeyValueStore: [{ key: 'register', value: { integer: 40001 } }],
        }),
        at(heating, 12),
      ),
      created('characteristics', 'heat-pump-mode', mode, at(heating, 71)),
      created(
        'characteristicServiceLinks',
        'room-temperature/climate',
        link('room-temperature', 'climate'),
        at(heating, 140, 9),
      ),
      created('services', 'climate', { code: 'climate', name: 'Climate', status: 'ACTIVATED' }, at(heating, 138)),
      created(
        'machineUsers',
        'gateway',
        { username: 'gateway', status: 'ACTIVATED' },
        { secret: 'not compared', ...at('models/access.yaml', 3) },
      ),
      created(
        'organizations',
        'lindenhof/north/Ground floor',
        { name: 'Ground floor', status: 'ACTIVATED' },
        at('models/organizations.yaml', 9),
      ),
    ],
    scope: {
      characteristics: { ...managed(2, 0), previously: null },
      characteristicServiceLinks: { ...managed(1, 0), previously: null },
      services: { ...managed(1, 0), previously: null },
      machineUsers: { ...managed(1, 0), previously: null },
      organizations: { ...managed(1, 0), previously: null },
    },
    diagnostics: [
      {
        severity: 'warning',
        code: 'secret-not-resolved',
        message:
          'machineUsers/gateway cannot be created here: its password is a reference that is not resolved; set it before you apply',
        pointer: '/machineUsers/0/password',
        file: 'models/access.yaml',
        line: 4,
        column: 15,
      },
    ],
  })
}

export function updates(): Plan {
  const text =
    'Measured at the wall beside the door, one and a half metres above the floor, in the shade and out of the draught; '
  return planOf({
    changes: [
      updated(
        'characteristics',
        'room-temperature',
        temperature('room-temperature', { boundaryMin: -20, description: `${text}every minute.` }),
        temperature('room-temperature', {
          name: 'Temperature of the room',
          symbol: 'K',
          precision: 1,
          description: `${text}every ten minutes.`,
        }),
        { impact: { components: 3, datapoints: 1204332 }, ...at(heating, 12) },
      ),
      updated(
        'characteristics',
        'heat-pump-mode',
        mode,
        {
          ...mode,
          name: 'Operating mode of the heat pump',
          options: [
            { key: 'heating', label: 'Heating only', meta: [] },
            { key: 'auto', label: 'Automatic', meta: [{ key: 'icon', value: 'leaf' }] },
            { key: 'cooling', label: 'Passive cooling', meta: [] },
            { key: 'off', label: 'Off', meta: [] },
          ],
        },
        at(heating, 71),
      ),
      updated('characteristics', 'heating-curve', curve(65), curve(70), at(heating, 54)),
      updated(
        'services',
        'climate',
        {
          code: 'climate',
          name: 'Climate',
          status: 'ACTIVATED',
          description: 'Rooms\nFloors\nHalls',
          metadataKeyValueStore: [
            { key: 'register', value: { integer: 1 } },
            { key: 'room', value: { string: 'A' } },
          ],
        },
        {
          code: 'climate',
          name: 'Climate',
          status: 'ARCHIVED',
          description: 'Rooms\nAll floors\nHalls',
          metadataKeyValueStore: [
            { key: 'register', value: { integer: 2 } },
            { key: 'room', value: { string: 'A' } },
          ],
        },
        at(heating, 138),
      ),
      updated(
        'applicationConsumers',
        'portal',
        { slug: 'portal', name: 'Portal', status: 'ACTIVATED', grantTypes: ['PASSWORD'], scopes: ['email', 'service'] },
        {
          slug: 'portal',
          name: 'Portal',
          status: 'ACTIVATED',
          grantTypes: ['AUTHORIZATION_CODE', 'REFRESH_TOKEN'],
          scopes: [],
        },
        { secret: 'unchanged', ...at('models/access.yaml', 40) },
      ),
    ],
    scope: { characteristics: managed(87), services: managed(14), applicationConsumers: managed(4) },
  })
}

export function moves(): Plan {
  const reason = 'characteristics/temp is now characteristics/room-temperature'
  return planOf({
    changes: [
      moved(
        'characteristics',
        'temp',
        'room-temperature',
        [temperature('temp', { name: 'Temp.' }), temperature('room-temperature')],
        {
          impact: { components: 3, datapoints: 1204332 },
          referrers: [{ type: 'characteristicServiceLinks', key: 'temp/climate' }],
          ...at(heating, 12),
        },
      ),
      moved(
        'characteristicServiceLinks',
        'temp/climate',
        'room-temperature/climate',
        [link('temp', 'climate'), link('room-temperature', 'climate')],
        { reason },
      ),
      updated(
        'users',
        'mira@baumann.example',
        { email: 'mira@baumann.example', name: 'Mira', organization: { alias: 'baumann' } },
        { email: 'mira@baumann.example', name: 'Mira', organization: { alias: 'baumann-service' } },
        { reason: 'organizations/baumann is now organizations/baumann-service', ...at('models/access.yaml', 9) },
      ),
      moved(
        'organizations',
        'baumann',
        'baumann-service',
        [
          { name: 'Baumann', alias: 'baumann' },
          { name: 'Baumann', alias: 'baumann-service' },
        ],
        at('models/organizations.yaml', 7),
      ),
    ],
    scope: {
      characteristics: managed(87),
      characteristicServiceLinks: managed(52),
      organizations: managed(3),
      users: managed(7),
    },
  })
}

export function collapsed(): Plan {
  const codes = [...Array(412).keys()].map((index) => `sensor-${String(index).padStart(3, '0')}`)
  return planOf({
    changes: [
      ...codes.map((code, index) =>
        updated(
          'characteristics',
          code,
          temperature(code),
          temperature(code, { symbol: 'K' }),
          at(index < 380 ? heating : 'models/rooms.yaml', index + 1),
        ),
      ),
      updated(
        'characteristics',
        'sensor-extra',
        temperature('sensor-extra'),
        temperature('sensor-extra', { symbol: 'K', precision: 2 }),
        at(heating, 900),
      ),
      ...[...Array(45).keys()].map((index) =>
        created(
          'eventModels',
          `alarm-${index}`,
          {
            code: `alarm-${index}`,
            eventType: 'RANGED',
            entityType: 'SYSTEM',
            eventLevel: 'ERROR',
            status: 'ACTIVATED',
          },
          at('models/events.yaml', 3 * index + 2),
        ),
      ),
    ],
    scope: { characteristics: managed(500), eventModels: managed(60, 15) },
  })
}

export function secrets(): Plan {
  return planOf({
    changes: [
      updated('machineUsers', 'changed', machine('changed'), machine('changed'), {
        secret: 'changed',
        patch: [{ op: 'replace', path: '/password', value: '(secret)' }],
        ...at('models/access.yaml', 3),
      }),
      updated('machineUsers', 'unchanged', machine('unchanged'), machine('unchanged', 'DEACTIVATED'), {
        secret: 'unchanged',
        ...at('models/access.yaml', 5),
      }),
      updated('machineUsers', 'unknown', machine('unknown'), machine('unknown', 'DEACTIVATED'), {
        secret: 'not compared',
        ...at('models/access.yaml', 7),
      }),
      created('machineUsers', 'new', machine('new'), { secret: 'changed', ...at('models/access.yaml', 9) }),
    ],
    scope: { machineUsers: managed(9, 8) },
  })
}

export function notCompared(): Plan {
  const plan = planOf({ scope: { machineUsers: managed(20), applicationConsumers: managed(4), services: managed(14) } })
  const unresolved = [...Array(12).keys()].map((index) => `gateway-${index + 1}`)
  return {
    ...plan,
    summary: { ...plan.summary, unchanged: 24, notCompared: 14 },
    notCompared: [
      { type: 'applicationConsumers', key: 'guessed', field: 'secret', reason: 'too-many-guesses' },
      { type: 'applicationConsumers', key: 'offline', field: 'secret', reason: 'no-platform' },
      ...unresolved.map(
        (key) => ({ type: 'machineUsers', key, field: 'password', reason: 'not-resolved' }) as const,
      ),
    ],
  }
}
