import { canonicalInstant } from '../instant.ts'
import { fitsDataType, METADATA_TAGS } from '../metadata.ts'
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
  metadataRule: ({ entityType, key, dataType, unique }) => ({
    entity: entityType,
    key,
    dataType,
    unique: unique === true,
  }),
  check(type, report) {
    if (type.unique && type.dataType !== 'INTEGER' && type.dataType !== 'STRING') {
      report(
        'error',
        'unique-unsupported',
        ['unique'],
        `unique is supported only for INTEGER and STRING, not for ${type.dataType}`,
      )
    }
    const value = type.default
    if (value !== undefined && value !== null && !fitsDataType(value, type.dataType)) {
      report(
        'error',
        'default-of-other-type',
        ['default'],
        `default must be a value of dataType ${type.dataType} (${METADATA_TAGS[type.dataType]})`,
      )
    }
  },
})
