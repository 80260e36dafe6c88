import { expect, test } from 'vitest'
import validators from '../../generated/validators.cjs'
import type { Json, JsonObject } from '../../src/lib/json.ts'
import { createRecord, updateRecord } from '../../src/platform/records/change-record.ts'
import { exportDocument } from '../../src/platform/imports/export-document.ts'
import type { DocumentTypeName } from '../../src/records/record-type.ts'
import { RECORD_TYPES, recordType } from '../../src/records/registry.ts'
import { fieldsOf, type Field } from '../../src/records/shape.ts'
import { applyAll, plan } from '../support/domain.ts'
import { endsOf, example, exampleKey, strongSecret } from '../support/example-records.ts'
import { effects } from '../support/plan-parts.ts'
import { oneDomain } from './one-domain.ts'

// An export is full state: whatever somebody changes afterwards, in any field of any record type, is a change of its
// next plan. The specification has no word for "not set" in a few fields: those the plan lists as drift.

const domain = oneDomain()

const METADATA = [{ key: 'note', value: { string: 'x' } }]
const ARCHIVED = { status: 'ARCHIVED' }

/** Another value for each field that an update can change; the order makes each of them valid. */
const CHANGES: { readonly [type in DocumentTypeName]: JsonObject } = {
  applicationConsumers: {
    name: 'Other',
    secret: strongSecret('other'),
    redirectUris: ['https://other.example/callback'],
    defaultRedirectUri: 'https://other.example/callback',
    grantTypes: ['AUTHORIZATION_CODE'],
    noExplicitConsentRequired: true,
    scopes: [],
    ...ARCHIVED,
  },
  characteristics: {
    dataType: 'INTEGER',
    name: 'Other',
    description: 'Other',
    symbol: 'K',
    characteristicType: 'SETTING',
    boundaryMax: 10,
    boundaryMin: 1,
    boundaryStep: 3,
    precision: 1,
    metadataKeyValueStore: METADATA,
    schema: { type: 'number' },
    options: [{ key: 'a', label: 'A' }],
    multiple: true,
    ...ARCHIVED,
  },
  characteristicServiceLinks: {},
  componentModels: {
    name: 'Other',
    description: 'Other',
    componentType: 'GATEWAY',
    isConnective: true,
    metadataKeyValueStore: METADATA,
    services: [{ code: 'linked' }],
    ...ARCHIVED,
  },
  dataSources: { name: 'Other', description: 'Other', reference: 'Other' },
  eventModels: {
    eventType: 'SINGLE_POINT',
    eventLevel: 'ERROR',
    entityType: 'SYSTEM',
    message: 'Other',
    limitToPrototypes: true,
    metadataKeyValueStore: METADATA,
    ...ARCHIVED,
  },
  machineUsers: { password: strongSecret('other'), ...ARCHIVED },
  metadataTypes: { dataType: 'INTEGER', description: 'Other', default: 1, unique: true },
  services: {
    name: 'Other',
    description: 'Other',
    metadataKeyValueStore: METADATA,
    characteristics: [{ code: 'linked' }],
    ...ARCHIVED,
  },
  serviceComponentModelLinks: { index: 3 },
  organizations: { metadataKeyValueStore: METADATA, organizationUnits: [{ name: 'New' }], ...ARCHIVED },
  users: { name: 'Other', organization: { alias: 'linked' }, metadataKeyValueStore: METADATA, ...ARCHIVED },
}

/** An update changes neither the key nor what it is made of. */
const IDENTITY = ['name', 'alias']

function changeable(type: DocumentTypeName): Field[] {
  const { definition, identity } = recordType(type)
  const fixed = [...identity, ...(type === 'organizations' ? IDENTITY : [])]
  return fieldsOf(definition).filter(({ name }) => !fixed.includes(name))
}

/** To what is not set; a list that is empty already becomes one that is not set. */
function emptied(type: DocumentTypeName): [string, Json][] {
  return changeable(type)
    .filter(({ name, required }) => !required && ![...NEEDED, ...(UNSAID[type] ?? [])].includes(name))
    .flatMap(({ name, nullable, isArray }): [string, Json][] => {
      if (nullable) return [[name, null]]
      return isArray ? [[name, []]] : []
    })
}

/** Where people are sent as long as AUTHORIZATION_CODE is granted. */
const NEEDED = ['defaultRedirectUri']

/** Fields that the specification makes neither nullable nor gives a default: not set cannot be written. */
const UNSAID: { readonly [type in DocumentTypeName]?: readonly string[] } = {
  applicationConsumers: ['noExplicitConsentRequired', 'scopes'],
  dataSources: ['name'],
  metadataTypes: ['unique'],
  services: ['description'],
}

test.each(RECORD_TYPES.map(({ name }) => name))(
  'an export of %s notices every field that somebody changes or empties',
  async (type) => {
    const key = exampleKey(type, 'one')
    await create('characteristics', example('characteristics', 'linked'))
    await create('services', example('services', 'linked'))
    await create('organizations', { alias: 'linked', name: 'Linked' })
    for (const [name, records] of Object.entries(endsOf(type, ['one'])))
      for (const record of records) await create(name as DocumentTypeName, record)
    await create(type, example(type, 'one'))

    expect(Object.keys(CHANGES[type]).sort()).toEqual(
      changeable(type)
        .map(({ name }) => name)
        .sort(),
    )
    await applyAll(domain(), await exportDocument(domain(), null))
    const seenAsDrift: string[] = []
    for (const [field, value] of [...Object.entries(CHANGES[type]), ...emptied(type)]) {
      const document = await exportDocument(domain(), null)
      expect(validators.importDocument(document)).toBe(true)
      await updateRecord(domain(), type, key, { [field]: value }, [])
      const { changes, notCompared = [], drift = [] } = await plan(domain(), document)
      if (changes.length > 0 || notCompared.some((one) => one.field === field)) continue
      expect(drift.filter((one) => one.field === field)).toMatchObject([{ type, key }])
      seenAsDrift.push(field)
    }
    expect(seenAsDrift).toEqual(UNSAID[type] ?? [])
    expect(effects(await plan(domain(), await exportDocument(domain(), null)))).toEqual([])
  },
)

async function create(type: DocumentTypeName, record: object): Promise<void> {
  await createRecord(domain(), type, record as JsonObject, [])
}
