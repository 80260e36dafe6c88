import type { Characteristic, DataType } from '../../../generated/import-document.ts'
import { canonicalBoundary, checkBoundaries } from '../characteristics/boundaries.ts'
import { hasDataType, type TypedCharacteristic } from '../characteristics/typed-characteristic.ts'
import { narrowedBy, relabelledBy, retypedBy, checkOptions, missOptions } from '../characteristics/invalidation.ts'
import { declareRecordType, type Report } from '../record-type.ts'
import { checkValueSchema, parsedSchema } from '../value-schema/check-value-schema.ts'

/** The fields that some data types honour and all others ignore (specification, section 2). */
const RULING_FIELDS = [
  'multiple',
  'options',
  'schema',
  'boundaryMin',
  'boundaryMax',
  'boundaryStep',
  'precision',
] as const satisfies readonly (keyof Characteristic)[]

type RulingField = (typeof RULING_FIELDS)[number]

const HONOURED: { readonly [dataType in DataType]: readonly RulingField[] } = {
  BLOB: [],
  BOOLEAN: [],
  DATE: ['boundaryMin', 'boundaryMax'],
  FLOAT: ['boundaryMin', 'boundaryMax', 'boundaryStep', 'precision'],
  INTEGER: ['boundaryMin', 'boundaryMax', 'boundaryStep'],
  JSON: ['schema'],
  SELECT: ['multiple', 'options'],
  STRING: [],
  TIME: ['boundaryMin', 'boundaryMax'],
  TIMESPAN: [],
  TIMESTAMP: ['boundaryMin', 'boundaryMax'],
}

export const characteristic = declareRecordType({
  name: 'characteristics',
  definition: 'Characteristic',
  identity: ['code'],
  metadataEntity: () => 'CHARACTERISTIC',
  takesData: true,
  canonical: { schema: parsedSchema, boundaryMin: canonicalBoundary, boundaryMax: canonicalBoundary },
  wholeNumbers: ({ dataType }) => (dataType === 'INTEGER' ? ['boundaryMin', 'boundaryMax'] : []),
  check(body, report) {
    if (!hasDataType(body)) return
    warnAboutIgnoredFields(body, report)
    checkOptions(body, report)
    checkBoundaries(body, report)
    checkValueSchema(body, report)
  },
  checkStored: missOptions,
  retypes: retypedBy,
  narrows: narrowedBy,
  relabels: relabelledBy,
})

function warnAboutIgnoredFields(body: TypedCharacteristic, report: Report): void {
  for (const field of RULING_FIELDS) {
    const value = body[field]
    const says =
      value !== undefined && value !== null && value !== false && !(Array.isArray(value) && value.length === 0)
    if (says && !HONOURED[body.dataType].includes(field)) {
      const dataTypes = typesHonouring(field)
      report(
        'warning',
        'ignored-field',
        [field],
        `${field} is ignored for dataType ${body.dataType}; only ${dataTypes.join(', ')} honour${dataTypes.length === 1 ? 's' : ''} it`,
      )
    }
  }
}

function typesHonouring(field: RulingField): string[] {
  return Object.entries(HONOURED).flatMap(([dataType, fields]) => (fields.includes(field) ? [dataType] : []))
}
