import type { JsonObject } from '../../src/lib/json.ts'
import { NO_SETTINGS, type Move, type Settings } from '../../src/records/settings.ts'

// A small model with records of every type, and documents that differ from it: by what they change, rename, leave out and
// grant.

/** How a document differs from the model as it was. */
export interface Edits {
  /** The ids of the records that it changes; with another version to something else. */
  readonly changed: { readonly [id: string]: 1 | 2 }
  readonly gone: readonly string[]
  readonly renamed: readonly string[]
  /** Of `GRANT_IDS`. */
  readonly granted: readonly string[]
}

export const CHANGEABLE = [
  'applicationConsumers/app',
  'characteristics/heat',
  // It has no field to change, so it comes with the change.
  'characteristicServiceLinks/heat/room',
  'componentModels/sensor',
  'dataSources/csv',
  'eventModels/alarm',
  'machineUsers/meter',
  'metadataTypes/SERVICE/rank',
  'services/room',
  'serviceComponentModelLinks/room/sensor',
  'organizations/acme',
  'organizations/acme/eg',
  'users/ada@example.org',
] as const

/** What a document may leave out, which deletes it. */
export const DISPENSABLE = ['dataSources/csv', 'characteristics/light', 'eventModels/alarm'] as const

/** The other keys that records may be given. What refers to them follows. */
export const NEW_KEYS = {
  'characteristics/heat': 'warmth',
  'services/room': 'hall',
  'componentModels/sensor': 'probe',
  'dataSources/csv': 'table',
} as const
export const RENAMABLE = Object.keys(NEW_KEYS) as readonly (keyof typeof NEW_KEYS)[]

const GRANTS: { readonly [id: string]: JsonObject } = {
  'access/viewer/user/ada@example.org': { role: 'viewer', user: 'ada@example.org' },
  'access/viewer/machineUser/meter/within/acme~1eg': { role: 'viewer', machineUser: 'meter', within: 'acme/eg' },
  'access/viewer/organization/acme': { role: 'viewer', organization: 'acme' },
}
export const GRANT_IDS: readonly string[] = Object.keys(GRANTS)

export const AS_IT_WAS: Edits = { changed: {}, gone: [], renamed: [], granted: GRANT_IDS.slice(1) }

const SECRET = 'Initial-3fGh6Jk9Pq2Sw5Xz8Bn1'
const rank = (value: number): JsonObject => ({ key: 'rank', value })
const STATUSES = ['ACTIVATED', 'DEACTIVATED', 'ARCHIVED']

export function documentOf({ changed, gone, renamed }: Edits): { [type: string]: JsonObject[] } {
  const version = (id: string) => changed[id] ?? 0
  const name = (id: string) => ['Name', 'New', 'Newer'][version(id)] ?? ''
  const code = (id: keyof typeof NEW_KEYS) => (renamed.includes(id) ? NEW_KEYS[id] : (id.split('/')[1] ?? ''))
  const unless = (id: string, record: JsonObject) => (gone.includes(id) ? [] : [record])
  const measured = { characteristicType: 'MEASUREMENT', dataType: 'FLOAT' }
  const [heat, room] = [code('characteristics/heat'), code('services/room')]
  const linked = version('characteristicServiceLinks/heat/room') > 0
  return {
    applicationConsumers: [
      { slug: 'app', name: name('applicationConsumers/app'), secret: SECRET, grantTypes: ['PASSWORD'] },
    ],
    characteristics: [
      { code: heat, name: name('characteristics/heat'), ...measured },
      ...unless('characteristics/light', { code: 'light', name: 'Light', ...measured }),
    ],
    characteristicServiceLinks: [
      ...unless('characteristics/light', { characteristicCode: 'light', serviceCode: room }),
      ...(linked ? [{ characteristicCode: heat, serviceCode: room }] : []),
    ],
    componentModels: [
      { code: code('componentModels/sensor'), name: name('componentModels/sensor'), componentType: 'DEVICE' },
    ],
    dataSources: unless('dataSources/csv', { code: code('dataSources/csv'), name: name('dataSources/csv') }),
    eventModels: unless('eventModels/alarm', {
      code: 'alarm',
      eventType: 'SINGLE_POINT',
      entityType: 'SYSTEM',
      message: name('eventModels/alarm'),
    }),
    machineUsers: [{ username: 'meter', password: SECRET, status: STATUSES[version('machineUsers/meter')] ?? '' }],
    metadataTypes: [
      { entityType: 'SERVICE', key: 'rank', dataType: 'INTEGER', default: version('metadataTypes/SERVICE/rank') },
      { entityType: 'ORGANIZATION_UNIT', key: 'rank', dataType: 'INTEGER' },
    ],
    services: [
      {
        code: room,
        name: 'Room',
        // `extra` has no metadata type: one that comes would rule over it.
        metadataKeyValueStore: [
          rank(version('services/room')),
          ...(version('services/room') > 0 ? [{ key: 'extra', value: 'x' }] : []),
        ],
      },
    ],
    serviceComponentModelLinks: [
      {
        serviceCode: room,
        componentModelCode: code('componentModels/sensor'),
        index: version('serviceComponentModelLinks/room/sensor'),
      },
    ],
    organizations: [
      {
        name: name('organizations/acme'),
        alias: 'acme',
        organizationUnits: [{ name: name('organizations/acme/eg'), alias: 'eg', metadataKeyValueStore: [rank(1)] }],
      },
      { name: 'Other', alias: 'other' },
    ],
    users: [{ email: 'ada@example.org', name: name('users/ada@example.org'), organization: { alias: 'acme' } }],
  }
}

export function settingsOf({ gone, renamed, granted }: Edits): Settings {
  const moved = RENAMABLE.filter((id) => renamed.includes(id) && !gone.includes(id)).map((id): Move => {
    const [type, from = ''] = id.split('/')
    return { type: type as Move['type'], from, to: NEW_KEYS[id] }
  })
  return { ...NO_SETTINGS, moved, access: GRANT_IDS.filter((id) => granted.includes(id)).map((id) => GRANTS[id] ?? {}) }
}

/** One document that has what two of them change; the second wins. */
export function together(first: Edits, second: Edits): Edits {
  return {
    changed: { ...first.changed, ...second.changed },
    gone: [...first.gone, ...second.gone],
    renamed: [...first.renamed, ...second.renamed],
    granted: second.granted,
  }
}
