import type { UnionType } from '../../lib/type-text.ts'
import { canonicalInstant, instantFlaw } from '../instant.ts'
import { fitsDataType, METADATA_TAGS, type MetadataDataType } from '../metadata.ts'
import { canonicalWhole } from '../whole-number.ts'
import { declareRecordType } from '../record-type.ts'

export const metadataType = declareRecordType({
  name: 'metadataTypes',
  definition: 'MetadataType',
  identity: ['entityType', 'key'],
  canonical: {
    default: (value, { dataType }) => {
      if (dataType === 'INTEGER') return canonicalWhole(value)
      return dataType === 'TIMESTAMP' && typeof value === 'string' ? canonicalInstant(value) : value
    },
  },
  wholeNumbers: ({ dataType }) => (dataType === 'INTEGER' ? ['default'] : []),
  clientFields: ({ dataType }) => new Map([['value', CLIENT_TYPE.get(dataType) ?? { union: ['unknown'] }]]),
  metadataRule: ({ entityType, key, dataType, unique }) => ({
    entity: entityType,
    key,
    dataType,
    unique: unique === true,
  }),
  check({ dataType, unique, default: value }, report) {
    if (dataType === undefined) return
    if (unique && dataType !== 'INTEGER' && dataType !== 'STRING') {
      report(
        'error',
        'unique-unsupported',
        ['unique'],
        `unique is supported only for INTEGER and STRING, not for ${dataType}`,
      )
    }
    if (value !== undefined && value !== null && !fitsDataType(value, dataType)) {
      report(
        'error',
        'default-of-other-type',
        ['default'],
        `default must be a value of dataType ${dataType} (${METADATA_TAGS[dataType]})${flawOf(value, dataType)}`,
      )
    }
  },
})

/** Each value may also be null. Clients treat null like an absent value. */
const CLIENT_TYPES: { readonly [dataType in MetadataDataType]: UnionType } = {
  BOOLEAN: { union: ['boolean'] },
  FLOAT: { union: ['number'] },
  INTEGER: { union: ['number', 'string'] },
  STRING: { union: ['string'] },
  TIMESTAMP: { union: ['string'] },
  UUID: { union: ['string'] },
}

const CLIENT_TYPE: ReadonlyMap<unknown, UnionType> = new Map(Object.entries(CLIENT_TYPES))

function flawOf(value: unknown, dataType: MetadataDataType): string {
  return dataType === 'TIMESTAMP' && typeof value === 'string' ? instantFlaw(value) : ''
}
