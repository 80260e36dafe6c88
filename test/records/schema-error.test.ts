import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { importDocument, plan, records, settings } from '../../generated/validators.cjs'
import { fromPointer } from '../../src/lib/pointer.ts'
import { valueAt, type JsonSchema } from '../../src/records/json-schema.ts'
import { schemaDiagnostics } from '../../src/records/schema-findings/schema-error.ts'
import importDocumentSchema from '../../schemas/import-document.schema.json' with { type: 'json' }
import planSchema from '../../schemas/plan.schema.json' with { type: 'json' }
import settingsSchema from '../../schemas/settings.schema.json' with { type: 'json' }

const SERVICE = { code: 'climate', name: 'Climate' }
const CHARACTERISTIC = { code: 'mode', name: 'Mode', characteristicType: 'SETTING', dataType: 'STRING' }
const CONSUMER = { name: 'Portal', slug: 'portal', secret: 'x', grantTypes: ['PASSWORD'] }
const METADATA_VALUE =
  'a string, a number, true or false, null, or an object with exactly one of "string", "float", "integer", "boolean", "timestamp" or "uuid"'

describe('one finding for each mistake, with what to do about it', () => {
  test.each<[title: string, document: object, findings: string[]]>([
    [
      'a key that does not exist',
      { services: [{ ...SERVICE, colour: 'red', statsu: 'ARCHIVED' }] },
      [
        '/services/0/colour unknown-key: unknown key "colour". Remove it, or use "description", "status", "metadataKeyValueStore" or "characteristics".',
        '/services/0/statsu unknown-key: unknown key "statsu". Did you mean "status"?',
      ],
    ],
    [
      'a required key that is misspelled',
      { services: [{ code: 'climate', nmae: 'Climate' }] },
      ['/services/0/nmae unknown-key: unknown key "nmae". Did you mean "name"?'],
    ],
    [
      'a key whose name needs escaping in a pointer',
      { services: [{ ...SERVICE, 'a/b~c': 1 }] },
      [
        '/services/0/a~1b~0c unknown-key: unknown key "a/b~c". Remove it, or use "description", "status", "metadataKeyValueStore" or "characteristics".',
      ],
    ],
    [
      'a required key that is missing',
      { eventModels: [{ code: 'fault', entityType: 'SYSTEM' }] },
      ['/eventModels/0 missing-key: key "eventType" is missing: add it; it must be one of "RANGED" or "SINGLE_POINT".'],
    ],
    [
      'a value outside an enum, also of another type',
      {
        services: [
          { ...SERVICE, status: 'off' },
          { ...SERVICE, status: 'activate' },
          { ...SERVICE, status: 1 },
        ],
      },
      [
        '/services/0/status not-in-enum: "status" must be one of "ACTIVATED", "DEACTIVATED" or "ARCHIVED", but is "off".',
        '/services/1/status not-in-enum: "status" must be one of "ACTIVATED", "DEACTIVATED" or "ARCHIVED", but is "activate". Did you mean "ACTIVATED"?',
        '/services/2/status not-in-enum: "status" must be one of "ACTIVATED", "DEACTIVATED" or "ARCHIVED", but is the number 1.',
      ],
    ],
    [
      'a whole number beyond those that are exact',
      { characteristics: [{ ...CHARACTERISTIC, precision: 1e300 }] },
      [
        '/characteristics/0/precision out-of-range: "precision" must be at most 9007199254740991, but is the number 1e+300.',
      ],
    ],
    [
      'a position that is none',
      { serviceComponentModelLinks: [{ serviceCode: 's', componentModelCode: 'm', index: 99999999999 }] },
      [
        '/serviceComponentModelLinks/0/index out-of-range: "index" must be at most 2147483647, but is the number 99999999999.',
      ],
    ],
    [
      'types that YAML reads differently from what was meant',
      {
        services: [{ code: 10, name: true }],
        characteristics: [{ ...CHARACTERISTIC, multiple: 'yes', precision: '2' }],
      },
      [
        '/characteristics/0/multiple wrong-type: "multiple" must be true or false, but is "yes". Write true or false, without quotes.',
        '/characteristics/0/precision wrong-type: "precision" must be a whole number or null, but is "2". Write it without quotes.',
        '/services/0/code wrong-type: "code" must be a string, but is the number 10. Write it in quotes.',
        '/services/0/name wrong-type: "name" must be a string, but is the boolean true. Write it in quotes.',
      ],
    ],
    [
      'a value that was left empty',
      { services: [{ code: 'climate', name: null, description: null, characteristics: null }] },
      [
        '/services/0/name wrong-type: "name" must be a string, but is null. Give it a value.',
        '/services/0/description wrong-type: "description" must be a string, but is null. Give it a value, or leave the key out.',
        '/services/0/characteristics wrong-type: "characteristics" must be a list, but is null. Write [] for none, or leave the key out.',
      ],
    ],
    [
      'an entry that is no record, and a list that is none',
      { services: ['climate'], applicationConsumers: [{ ...CONSUMER, grantTypes: 'PASSWORD' }] },
      [
        '/applicationConsumers/0/grantTypes wrong-type: "grantTypes" must be a list, but is "PASSWORD". Write a list, even for one entry.',
        '/services/0 wrong-type: every entry of "services" must be an object with "code" and "name", but is "climate".',
      ],
    ],
    [
      'formats',
      { users: [{ email: 'ada' }], applicationConsumers: [{ ...CONSUMER, redirectUris: ['/callback'] }] },
      [
        '/applicationConsumers/0/redirectUris/0 wrong-format: every entry of "redirectUris" must be an absolute address such as https://example.org/path, but is "/callback".',
        '/users/0/email wrong-format: "email" must be an e-mail address such as ada@example.org, but is "ada".',
      ],
    ],
    [
      'an identity that is empty',
      { services: [{ ...SERVICE, code: '' }] },
      ['/services/0/code too-short: "code" must not be empty.'],
    ],
    [
      'alternatives: the one that was meant is judged, and only where none was, all are named',
      withMetadata([1], {}, { float: '1' }, { floot: 1 }, { float: 1, integer: 2 }, { uuid: 'x' }),
      [
        `/services/0/metadataKeyValueStore/0/value wrong-type: "value" must be ${METADATA_VALUE}, but is a list.`,
        '/services/0/metadataKeyValueStore/1/value wrong-key-count: "value" must have exactly one key: "string", "float", "integer", "boolean", "timestamp" or "uuid".',
        '/services/0/metadataKeyValueStore/2/value/float wrong-type: "float" must be a number, but is "1". Write it without quotes.',
        '/services/0/metadataKeyValueStore/3/value/floot unknown-key: unknown key "floot". Did you mean "float"?',
        '/services/0/metadataKeyValueStore/4/value wrong-key-count: "value" must have exactly one key: "string", "float", "integer", "boolean", "timestamp" or "uuid".',
        '/services/0/metadataKeyValueStore/5/value/uuid wrong-format: "uuid" must be a UUID such as 6f1c3f0e-4a53-4c8e-9c52-1f6f0d1a2b3c, but is "x".',
      ],
    ],
    [
      'a nullable object of another type',
      { users: [{ email: 'ada@example.org', organization: 'house' }] },
      ['/users/0/organization wrong-type: "organization" must be an object or null, but is "house".'],
    ],
    [
      'a mistake deep in a tree',
      {
        organizations: [
          { name: 'House', organizationUnits: [{ name: 'A', directChildren: [{ name: 'B', aliass: 'b' }] }] },
        ],
      },
      [
        '/organizations/0/organizationUnits/0/directChildren/0/aliass unknown-key: unknown key "aliass". Did you mean "alias"?',
      ],
    ],
  ])('%s', (_, document, findings) => {
    expect(findingsOf(document)).toEqual(findings)
  })
})

test('a long value is shortened, and the mark says so', () => {
  const [finding] = findingsOf({ services: [{ ...SERVICE, status: '🔥'.repeat(1000) }] })
  expect(finding).toContain(`but is "${'🔥'.repeat(60)}…".`)
})

test('a document that is no object', () => {
  expect(findingsOf([])).toEqual([' wrong-type: the document must be an object, but is a list.'])
})

describe('secrets', () => {
  test.each([
    { applicationConsumers: [{ ...CONSUMER, secret: 4711 }] },
    { applicationConsumers: [{ ...CONSUMER, secret: ['4711'] }] },
    { machineUsers: [{ username: 'import', password: 4711 }] },
    { machineUsers: [{ username: 'import', pasword: '4711' }] },
  ])('the value is not quoted: %j', (document) => {
    const findings = findingsOf(document)
    expect(findings).toHaveLength(1)
    expect(findings[0]).not.toContain('4711')
  })

  test('without the schema nothing is known to be harmless, so no value is quoted', () => {
    importDocument({ users: [{ email: 'hidden' }] })
    const [diagnostic] = schemaDiagnostics(importDocument.errors ?? [], { users: [{ email: 'hidden' }] })
    expect(diagnostic?.message).toBe('"email" must be an e-mail address such as ada@example.org, but is a string.')
  })
})

test('a single record: the pointers begin at the record', () => {
  const record = { code: 'climate', name: 1 }
  records.services(record)
  const schema = { $ref: '#/$defs/Service', $defs: importDocumentSchema.$defs } as JsonSchema
  expect(texts(schemaDiagnostics(records.services.errors ?? [], record, schema))).toEqual([
    '/name wrong-type: "name" must be a string, but is the number 1. Write it in quotes.',
  ])
})

test('settings', () => {
  const written = { acknowledge: [{ code: 'delete-data', type: 'services' }], move: [] }
  settings(written)
  expect(texts(schemaDiagnostics(settings.errors ?? [], written, settingsSchema as JsonSchema))).toEqual([
    '/move unknown-key: unknown key "move". Did you mean "moved"?',
    '/acknowledge/0/code not-in-enum: "code" must be one of "deletes-data", "invalidates-data", "relabels-data", "strands-data", "mass-delete", "takes-over", "empties-type", "leaves-scope", "takes-ownership", "protected", "widens-access" or "overwrites-later", but is "delete-data". Did you mean "deletes-data"?',
  ])
})

test('a plan of another version and a digest that is none', () => {
  const written = { formatVersion: 2, digest: 'x', summary: { create: -1 } }
  plan(written)
  const findings = texts(schemaDiagnostics(plan.errors ?? [], written, planSchema))
  expect(findings).toContain('/formatVersion not-allowed-value: "formatVersion" must be 1, but is the number 2.')
  expect(findings).toContain('/digest wrong-format: "digest" must match ^sha256:[0-9a-f]{64}$, but is "x".')
  expect(findings).toContain('/summary/create out-of-range: "create" must be at least 0, but is the number -1.')
})

test('whatever is written, each finding is at a place of the document, and there is one if and only if it is invalid', () => {
  const record = fc.dictionary(
    fc.constantFrom('code', 'name', 'status', 'metadataKeyValueStore', '__proto__'),
    fc.jsonValue(),
  )
  const document = fc.dictionary(fc.constantFrom('services', 'users', 'organizations', 'x'), fc.array(record))
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), document), (value) => {
      const valid = importDocument(value)
      const diagnostics = schemaDiagnostics(importDocument.errors ?? [], value, importDocumentSchema)
      expect(diagnostics.length > 0).toBe(!valid)
      for (const { pointer } of diagnostics) expect(valueAt(value, fromPointer(pointer))).not.toBeUndefined()
    }),
  )
})

function withMetadata(...values: unknown[]): object {
  return {
    services: [{ ...SERVICE, metadataKeyValueStore: values.map((value, index) => ({ key: `k${index}`, value })) }],
  }
}

function findingsOf(document: unknown): string[] {
  importDocument(document)
  return texts(schemaDiagnostics(importDocument.errors ?? [], document, importDocumentSchema))
}

function texts(diagnostics: ReturnType<typeof schemaDiagnostics>): string[] {
  return diagnostics.map(({ pointer, code, message }) => `${pointer} ${code}: ${message}`)
}
