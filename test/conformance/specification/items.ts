import type { JsonObject } from '../../../src/lib/json.ts'
import { inOrder, metadata, ofDefault, optional, required, status, description, topLevel, type Item } from './item.ts'
import { FLAG, listOf, oneOf, orNull, TEXT, URI, values, WHOLE } from './kinds.ts'

// Section 2, table by table: each field with what it takes, whether it is required, and its default.

const SECRET = values('a string', ['a-secret-that-nobody-guesses-7'], [1, null])

const CHARACTERISTIC = { name: 'N', characteristicType: 'MEASUREMENT', dataType: 'STRING' } as const
const COMPONENT_MODEL = { name: 'N', componentType: 'DEVICE' } as const
const SERVICES = [1, 2, 3, 4, 5, 6, 7].map((index) => ({ code: `s${index - 1}`, name: 'S' }))
const CODES = values('a string', ['s1'], [1, true, null])

export const ITEMS: readonly Item[] = [
  topLevel(
    'applicationConsumers',
    'ApplicationConsumer',
    (index) => ({ name: 'N', slug: `app-${index}`, secret: SECRET.takes[0] ?? '', grantTypes: ['PASSWORD'] }),
    [
      required('name', TEXT),
      required('slug', values('a string', ['tenant-portal', 'a.b_c~1'], [1, null]), { identifies: true }),
      required('secret', SECRET),
      required('grantTypes', listOf(oneOf('AUTHORIZATION_CODE', 'PASSWORD', 'REFRESH_TOKEN')), {
        with: { redirectUris: ['https://app.example/callback'] },
      }),
      status,
      optional('defaultRedirectUri', orNull(URI)),
      optional('redirectUris', orNull(listOf(URI))),
      optional('noExplicitConsentRequired', FLAG),
      optional('scopes', listOf(TEXT)),
    ],
  ),
  topLevel('characteristics', 'Characteristic', (index) => ({ code: `c${index}`, ...CHARACTERISTIC }), [
    required('code', TEXT, { identifies: true }),
    required('name', TEXT),
    description,
    status,
    required('characteristicType', oneOf('MEASUREMENT', 'SETTING')),
    required(
      'dataType',
      oneOf('BLOB', 'BOOLEAN', 'DATE', 'FLOAT', 'INTEGER', 'JSON', 'SELECT', 'STRING', 'TIME', 'TIMESPAN', 'TIMESTAMP'),
      { with: { options: [{ key: 'a', label: 'A' }] } },
    ),
    ofDefault('symbol', orNull(TEXT), null),
    metadata,
    ofDefault('multiple', FLAG, false),
    optional('options', values('a list of options', [[{ key: 'a', label: 'A' }]], [{}, ['a'], null]), {
      with: { dataType: 'SELECT' },
    }),
    optional('schema', values('an object, string or null', [{ type: 'object' }, '{"type":"object"}', null], [1, []]), {
      with: { dataType: 'JSON' },
    }),
    optional('boundaryMin', values('a number or null', [1, 1.5, null], [true, [1]]), { with: { dataType: 'FLOAT' } }),
    optional('boundaryMax', values('a number or null', [1, 1.5, null], [true, [1]]), { with: { dataType: 'FLOAT' } }),
    optional('boundaryStep', values('a number, integer or null', [1, 0.5, null], [true, '1']), {
      with: { dataType: 'FLOAT' },
    }),
    optional('precision', values('an integer or null', [1, 0, null], [true, '1', 1.5]), {
      with: { dataType: 'FLOAT' },
    }),
  ]),
  {
    name: 'Characteristic option',
    fields: [
      required('key', TEXT, { identifies: true }),
      required('label', TEXT),
      ofDefault('meta', values('a list', [[{ key: 'a', value: 'b' }], []], [{}, ['a'], null]), []),
    ],
    make: (index) => ({ key: `k${index}`, label: 'L' }),
    documentOf: (items) => ({
      characteristics: items.map((item, index) => ({
        code: `c${index}`,
        ...CHARACTERISTIC,
        dataType: 'SELECT',
        options: [item],
      })),
    }),
    pointerOf: (index) => `/characteristics/${index}/options/0`,
    shown: (changes) => changes.flatMap(({ after }) => after['options'] as JsonObject[]),
  },
  {
    name: 'Characteristic option meta',
    fields: [required('key', TEXT, { identifies: true }), required('value', TEXT)],
    make: (index) => ({ key: `k${index}`, value: 'V' }),
    documentOf: (items) => ({
      characteristics: items.map((item, index) => ({
        code: `c${index}`,
        ...CHARACTERISTIC,
        dataType: 'SELECT',
        options: [{ key: 'a', label: 'A', meta: [item] }],
      })),
    }),
    pointerOf: (index) => `/characteristics/${index}/options/0/meta/0`,
    shown: () => [],
  },
  topLevel(
    'characteristicServiceLinks',
    'CharacteristicServiceLink',
    (index) => ({ characteristicCode: `s${index}`, serviceCode: `s${index}` }),
    [required('characteristicCode', CODES, { identifies: true }), required('serviceCode', CODES, { identifies: true })],
    { services: SERVICES, characteristics: SERVICES.map(({ code }) => ({ code, ...CHARACTERISTIC })) },
  ),
  topLevel('componentModels', 'ComponentModel', (index) => ({ code: `m${index}`, ...COMPONENT_MODEL }), [
    required('code', TEXT, { identifies: true }),
    required('name', TEXT),
    description,
    required('componentType', oneOf('DEVICE', 'GATEWAY', 'VIRTUAL')),
    status,
    ofDefault('isConnective', FLAG, false),
    metadata,
    optional('services', values('a list', [[]], [{}, ['a'], null])),
  ]),
  {
    name: 'ComponentModel service',
    fields: [required('code', CODES), ofDefault('index', WHOLE, 0)],
    make: (index) => ({ code: `s${index}` }),
    documentOf: (items) => ({
      services: SERVICES,
      componentModels: items.map((item, index) => ({ code: `m${index}`, ...COMPONENT_MODEL, services: [item] })),
    }),
    pointerOf: (index) => `/componentModels/${index}/services/0`,
    shown: (changes) => inOrder(changes.filter(({ type }) => type === 'serviceComponentModelLinks')),
  },
  topLevel('dataSources', 'DataSource', (index) => ({ code: `d${index}` }), [
    required('code', TEXT, { identifies: true }),
    optional('name', TEXT),
    description,
    ofDefault('reference', orNull(TEXT), null),
  ]),
  topLevel(
    'eventModels',
    'EventModel',
    (index) => ({ code: `e${index}`, eventType: 'SINGLE_POINT', entityType: 'SYSTEM' }),
    [
      required('code', TEXT, { identifies: true }),
      required('eventType', oneOf('RANGED', 'SINGLE_POINT')),
      required('entityType', oneOf('COMPONENT', 'SYSTEM')),
      ofDefault('eventLevel', oneOf('ERROR', 'INFO', 'SUCCESS', 'WARNING'), 'INFO'),
      ofDefault('message', orNull(TEXT), null),
      metadata,
      status,
      ofDefault('limitToPrototypes', FLAG, false),
    ],
  ),
  topLevel(
    'machineUsers',
    'MachineUser',
    (index) => ({ username: `robot-${index}`, password: SECRET.takes[0] ?? '' }),
    [required('username', TEXT, { identifies: true }), required('password', SECRET), status],
  ),
  topLevel(
    'metadataTypes',
    'MetadataType',
    (index) => ({ key: `k${index}`, entityType: 'SYSTEM', dataType: 'STRING' }),
    [
      required('key', TEXT, { identifies: true }),
      optional('description', orNull(TEXT)),
      required(
        'entityType',
        oneOf(
          'CHARACTERISTIC',
          'COMPONENT',
          'COMPONENT_MODEL',
          'EVENT',
          'EVENT_MODEL',
          'ORGANIZATION',
          'ORGANIZATION_UNIT',
          'SERVICE',
          'SYSTEM',
          'USER',
        ),
      ),
      required('dataType', oneOf('BOOLEAN', 'FLOAT', 'INTEGER', 'STRING', 'TIMESTAMP', 'UUID')),
      optional('default', orNull(values('a string (of a STRING)', ['x'], [{}, []]))),
      optional('unique', FLAG),
    ],
  ),
  topLevel('services', 'Service', (index) => ({ code: `s${index}`, name: 'N' }), [
    required('code', TEXT, { identifies: true }),
    required('name', TEXT),
    optional('description', TEXT),
    status,
    metadata,
    optional('characteristics', values('a list', [[]], [{}, ['a'], null])),
  ]),
  {
    name: 'Service characteristic',
    fields: [required('code', CODES)],
    make: (index) => ({ code: `s${index}` }),
    documentOf: (items) => ({
      characteristics: SERVICES.map(({ code }) => ({ code, ...CHARACTERISTIC })),
      services: items.map((item, index) => ({ code: `t${index}`, name: 'N', characteristics: [item] })),
    }),
    pointerOf: (index) => `/services/${index}/characteristics/0`,
    shown: () => [],
  },
  topLevel(
    'serviceComponentModelLinks',
    'ServiceComponentModelLink',
    (index) => ({ serviceCode: `s${index}`, componentModelCode: `s${index}` }),
    [
      required('serviceCode', CODES, { identifies: true }),
      required('componentModelCode', CODES, { identifies: true }),
      ofDefault('index', WHOLE, 0),
    ],
    { services: SERVICES, componentModels: SERVICES.map(({ code }) => ({ code, ...COMPONENT_MODEL })) },
  ),
  topLevel('organizations', 'Organization', (index) => ({ name: `O${index}` }), [
    required('name', TEXT, { identifies: true }),
    optional('alias', orNull(TEXT), { identifies: true }),
    status,
    metadata,
    optional('organizationUnits', values('a list', [[{ name: 'U' }], []], [{}, ['a'], null])),
  ]),
  {
    name: 'OrganizationUnit',
    fields: [
      required('name', TEXT, { identifies: true }),
      optional('alias', orNull(TEXT), { identifies: true }),
      metadata,
      status,
      optional(
        'directChildren',
        values('a list of units', [[{ name: 'U', directChildren: [{ name: 'V' }] }], []], [{}, ['a'], null]),
      ),
    ],
    make: (index) => ({ name: `U${index}` }),
    documentOf: (items) => ({
      organizations: items.map((item, index) => ({ name: `O${index}`, organizationUnits: [item] })),
    }),
    pointerOf: (index) => `/organizations/${index}/organizationUnits/0`,
    shown: (changes) => inOrder(changes.filter(({ key }) => /^O\d\/[^/]+$/.test(key))),
  },
  topLevel('users', 'User', (index) => ({ email: `u${index}@example.org` }), [
    required('email', values('an e-mail address', ['ann@example.org', 'ann.o+x@sub.example.org'], ['ann', 1, null]), {
      identifies: true,
    }),
    optional('name', orNull(TEXT)),
    status,
    metadata,
    ofDefault('organization', orNull(values('an object', [{ alias: null }, {}], ['acme', ['acme']])), null),
  ]),
  {
    name: 'User organization',
    fields: [optional('alias', values('a string or null', ['acme', null], [1, true]))],
    make: () => ({}),
    documentOf: (items) => ({
      organizations: [{ name: 'Acme', alias: 'acme' }],
      users: items.map((item, index) => ({ email: `u${index}@example.org`, organization: item })),
    }),
    pointerOf: (index) => `/users/${index}/organization`,
    shown: () => [],
  },
]
