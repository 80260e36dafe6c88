import { narrowedBy, relabelledBy, retypedBy } from '../characteristics/invalidation.ts'
import { checkBoundaries } from '../data-types/check-boundaries.ts'
import { canonicalBoundary, DATA_TYPE_DECLARATIONS, honours, isDataType } from '../data-types/data-type.ts'
import { RULING_FIELDS, type TypedCharacteristic } from '../data-types/declaration.ts'
import { declareRecordType, type Report } from '../record-type.ts'
import { parsedSchema } from '../value-schema/check-value-schema.ts'
import { BOUNDARY_FIELDS } from '../values/boundary.ts'

export const characteristic = declareRecordType({
  name: 'characteristics',
  definition: 'Characteristic',
  identity: ['code'],
  metadataEntity: () => 'CHARACTERISTIC',
  takesData: true,
  canonical: { schema: parsedSchema, boundaryMin: canonicalBoundary, boundaryMax: canonicalBoundary },
  wholeNumbers: ({ dataType }) =>
    isDataType(dataType) && DATA_TYPE_DECLARATIONS[dataType].boundary?.isWhole === true ? BOUNDARY_FIELDS : [],
  check({ dataType, ...fields }, report) {
    if (dataType === undefined) return
    const body = { ...fields, dataType }
    warnAboutIgnoredFields(body, report)
    checkBoundaries(body, report)
    DATA_TYPE_DECLARATIONS[dataType].check?.(body, report)
  },
  checkStored: (body, report) => DATA_TYPE_DECLARATIONS[body.dataType].checkStored?.(body, report),
  retypes: retypedBy,
  narrows: narrowedBy,
  relabels: relabelledBy,
})

function warnAboutIgnoredFields(body: TypedCharacteristic, report: Report): void {
  for (const field of RULING_FIELDS) {
    const value = body[field]
    const says =
      value !== undefined && value !== null && value !== false && !(Array.isArray(value) && value.length === 0)
    if (!says || honours(DATA_TYPE_DECLARATIONS[body.dataType], field)) continue
    const those = Object.values(DATA_TYPE_DECLARATIONS).filter((one) => honours(one, field))
    const names = those.map(({ name }) => name).join(', ')
    const message = `${field} is ignored for dataType ${body.dataType}; only ${names} honour${those.length === 1 ? 's' : ''} it`
    report('warning', 'ignored-field', [field], message)
  }
}
