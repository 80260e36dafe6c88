import type { Characteristic } from '../../../generated/import-document.ts'
import type { Json } from '../../lib/json.ts'
import { checkBoundaries } from '../boundaries.ts'
import { narrowedBy, relabelledBy, retypedBy } from '../invalidation.ts'
import { checkOptions, requireOptions } from '../options.ts'
import { canonicalInstant } from '../instant.ts'
import { declareRecordType, type Report } from '../record-type.ts'
import { canonicalWhole } from '../whole-number.ts'
import { checkValueSchema, parsedSchema } from '../value-schema.ts'

/** The data types that honour a field. All other data types ignore it (specification, section 2). */
const HONOURED_BY: { readonly [field in keyof Characteristic]?: readonly Characteristic['dataType'][] } = {
  multiple: ['SELECT'],
  options: ['SELECT'],
  schema: ['JSON'],
  boundaryMin: ['DATE', 'FLOAT', 'INTEGER', 'TIME', 'TIMESTAMP'],
  boundaryMax: ['DATE', 'FLOAT', 'INTEGER', 'TIME', 'TIMESTAMP'],
  boundaryStep: ['FLOAT', 'INTEGER'],
  precision: ['FLOAT'],
}

export const characteristic = declareRecordType<Characteristic>({
  name: 'characteristics',
  definition: 'Characteristic',
  identity: ['code'],
  metadataEntity: () => 'CHARACTERISTIC',
  canonical: { schema: parsedSchema, boundaryMin: canonicalBoundary, boundaryMax: canonicalBoundary },
  wholeNumbers: ({ dataType }) => (dataType === 'INTEGER' ? ['boundaryMin', 'boundaryMax'] : []),
  check(body, report) {
    warnAboutIgnoredFields(body, report)
    checkOptions(body, report)
    checkBoundaries(body, report)
    checkValueSchema(body, report)
  },
  checkStored: requireOptions,
  retypes: retypedBy,
  narrows: narrowedBy,
  relabels: relabelledBy,
})

function canonicalBoundary(value: Json, body: Characteristic): Json {
  if (body.dataType === 'INTEGER') return canonicalWhole(value)
  return body.dataType === 'TIMESTAMP' && typeof value === 'string' ? canonicalInstant(value) : value
}

function warnAboutIgnoredFields(body: Characteristic, report: Report): void {
  for (const field of Object.keys(HONOURED_BY) as (keyof Characteristic)[]) {
    const dataTypes = HONOURED_BY[field] ?? []
    const value = body[field]
    const says =
      value !== undefined && value !== null && value !== false && !(Array.isArray(value) && value.length === 0)
    if (says && !dataTypes.includes(body.dataType)) {
      report(
        'warning',
        'ignored-field',
        [field],
        `${field} is ignored for dataType ${body.dataType}; only ${dataTypes.join(', ')} honour${dataTypes.length === 1 ? 's' : ''} it`,
      )
    }
  }
}
