import * as fc from 'fast-check'
import type { Json } from '../../src/lib/json.ts'
import type { DocumentTypeName } from '../../src/records/record-type.ts'
import { characteristic } from './random-characteristics.ts'
import {
  body,
  code,
  few,
  instant,
  metadata,
  METADATA_KEYS,
  nullableText,
  slug,
  status,
  text,
  wholeNumber,
} from './random-values.ts'
import type { Body } from './random-values.ts'

const REDIRECT_URIS = [
  'https://portal.example/callback',
  'https://portal.example/app',
  'http://localhost:8080/',
] as const
const EMAILS = ['ada@example.org', 'Ada@Example.org', 'jo@example.org', 'kim@example.org', 'o.x@example.org'] as const

// Mostly strong secrets, because the comparison of weak ones is slow by design.
const secretCharacters = [...'abcdefghXYZ0123456789-_']
const secret = fc.oneof(
  { weight: 19, arbitrary: fc.string({ minLength: 24, maxLength: 30, unit: fc.constantFrom(...secretCharacters) }) },
  { weight: 1, arbitrary: fc.string({ minLength: 8, maxLength: 12, unit: fc.constantFrom(...secretCharacters) }) },
)
const redirectUri = fc.constantFrom(...REDIRECT_URIS)
const index = fc.integer({ min: 0, max: 3 })

const applicationConsumer = body(
  {
    name: text,
    slug,
    secret,
    grantTypes: fc.subarray(['AUTHORIZATION_CODE', 'PASSWORD', 'REFRESH_TOKEN'], { minLength: 1 }),
  },
  {
    status,
    defaultRedirectUri: fc.option(redirectUri),
    redirectUris: fc.option(fc.subarray([...REDIRECT_URIS])),
    noExplicitConsentRequired: fc.boolean(),
    scopes: fc.subarray(['service', 'email']),
  },
)

const componentModel = body(
  { code, name: text, componentType: fc.constantFrom('DEVICE', 'GATEWAY', 'VIRTUAL') },
  {
    description: nullableText,
    status,
    isConnective: fc.boolean(),
    metadataKeyValueStore: metadata,
    services: few(body({ code }, { index }), 3),
  },
)

const eventModel = body(
  { code, eventType: fc.constantFrom('RANGED', 'SINGLE_POINT'), entityType: fc.constantFrom('COMPONENT', 'SYSTEM') },
  {
    eventLevel: fc.constantFrom('ERROR', 'INFO', 'SUCCESS', 'WARNING'),
    message: text,
    metadataKeyValueStore: metadata,
    status,
    limitToPrototypes: fc.boolean(),
  },
)

const DEFAULTS: { readonly [dataType: string]: fc.Arbitrary<Json> } = {
  BOOLEAN: fc.boolean(),
  FLOAT: wholeNumber.map((value) => value / 4),
  INTEGER: wholeNumber,
  STRING: text,
  TIMESTAMP: instant,
  UUID: fc.uuid(),
}

const ENTITIES = [
  'CHARACTERISTIC',
  'COMPONENT_MODEL',
  'EVENT_MODEL',
  'ORGANIZATION',
  'ORGANIZATION_UNIT',
  'SERVICE',
  'USER',
  'SYSTEM',
] as const

const metadataType = fc.oneof(
  ...Object.entries(DEFAULTS).map(([dataType, value]) =>
    body(
      {
        key: fc.constantFrom(...METADATA_KEYS),
        entityType: fc.constantFrom(...ENTITIES),
        dataType: fc.constant(dataType),
      },
      {
        description: nullableText,
        default: fc.option(value),
        unique: ['INTEGER', 'STRING'].includes(dataType) ? fc.boolean() : fc.constant(false),
      },
    ),
  ),
)

function organizationUnit(levels: number): fc.Arbitrary<Body> {
  const below = levels > 1 && { directChildren: few(organizationUnit(levels - 1), 2) }
  return body({ name: text }, { alias: fc.option(code), metadataKeyValueStore: metadata, status, ...below })
}

const organization = body(
  { name: text },
  { alias: fc.option(code), status, metadataKeyValueStore: metadata, organizationUnits: few(organizationUnit(3), 2) },
)

/** A record of each type. It is valid except for its references and for values that must be unique. */
export const RECORDS: { readonly [type in DocumentTypeName]: fc.Arbitrary<Body> } = {
  applicationConsumers: applicationConsumer,
  characteristics: characteristic,
  characteristicServiceLinks: body({ characteristicCode: code, serviceCode: code }, {}),
  componentModels: componentModel,
  dataSources: body({ code }, { name: text, description: nullableText, reference: nullableText }),
  eventModels: eventModel,
  machineUsers: body({ username: code, password: secret }, { status }),
  metadataTypes: metadataType,
  services: body(
    { code, name: text },
    { description: text, status, metadataKeyValueStore: metadata, characteristics: few(body({ code }, {}), 3) },
  ),
  serviceComponentModelLinks: body({ serviceCode: code, componentModelCode: code }, { index }),
  organizations: organization,
  users: body(
    { email: fc.constantFrom(...EMAILS) },
    {
      name: nullableText,
      status,
      metadataKeyValueStore: metadata,
      organization: fc.option(body({}, { alias: fc.option(code) })),
    },
  ),
}
