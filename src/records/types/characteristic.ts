import { withArticle } from '../../lib/article.ts'
import { literalType } from '../../lib/type-text.ts'
import { narrowedBy, relabelledBy, retypedBy } from '../characteristics/invalidation.ts'
import { canonicalBoundary, DATA_TYPE_DECLARATIONS, dataTypeOf, declarationOf } from '../data-types/data-type.ts'
import { RULING_FIELDS, type TypedCharacteristic } from '../data-types/declaration.ts'
import { declareRecordType, type Report } from '../record-type.ts'
import { parsedSchema } from '../value-schema/check-value-schema.ts'
import { BOUNDARY_FIELDS, type BoundaryField, type BoundaryForm } from '../values/boundary.ts'

export const characteristic = declareRecordType({
  name: 'characteristics',
  definition: 'Characteristic',
  identity: ['code'],
  metadataEntity: () => 'CHARACTERISTIC',
  takesData: true,
  canonical: { schema: parsedSchema, boundaryMin: canonicalBoundary, boundaryMax: canonicalBoundary },
  wholeNumbers: ({ dataType }) => (declarationOf(dataType)?.boundary?.isWhole === true ? BOUNDARY_FIELDS : []),
  check({ dataType, ...fields }, report) {
    if (dataType === undefined) return
    const body = { ...fields, dataType }
    warnAboutIgnoredFields(body, report)
    checkBoundaries(body, report)
    DATA_TYPE_DECLARATIONS[dataType].check?.(body, report)
  },
  checkStored: (body, report) => declarationOf(body.dataType)?.checkStored?.(body, report),
  retypes: retypedBy,
  narrows: narrowedBy,
  relabels: relabelledBy,
  clientFields: (body) =>
    new Map([
      ['value', dataTypeOf(body).clientType(body)],
      ['type', literalType(body['characteristicType'])],
    ]),
})

function warnAboutIgnoredFields(body: TypedCharacteristic, report: Report): void {
  for (const field of RULING_FIELDS) {
    const value = body[field]
    const says =
      value !== undefined && value !== null && value !== false && !(Array.isArray(value) && value.length === 0)
    if (!says || DATA_TYPE_DECLARATIONS[body.dataType].honours.includes(field)) continue
    const those = Object.values(DATA_TYPE_DECLARATIONS).filter(({ honours }) => honours.includes(field))
    const names = those.map(({ name }) => name).join(', ')
    const message = `${field} is ignored for dataType ${body.dataType}; only ${names} honour${those.length === 1 ? 's' : ''} it`
    report('warning', 'ignored-field', [field], message)
  }
}

/** Warns about boundaries without any effect on values, and rejects boundaries that exclude all values. */
function checkBoundaries(body: TypedCharacteristic, report: Report): void {
  const { boundary: form } = DATA_TYPE_DECLARATIONS[body.dataType]
  if (form === null) return
  const [least, most] = BOUNDARY_FIELDS.map((field) => readBoundary(body, field, form, report))
  if (least == null || most == null || !form.isAbove(least, most)) return
  const values = `${JSON.stringify(body.boundaryMin)} > ${JSON.stringify(body.boundaryMax)}`
  const message = `boundaryMin is above boundaryMax (${values}): no ${body.dataType} value could be valid`
  report('error', 'boundaries-crossed', ['boundaryMin'], message)
}

function readBoundary(
  body: TypedCharacteristic,
  field: BoundaryField,
  { says, read, flaw }: BoundaryForm,
  report: Report,
): unknown {
  const { dataType, [field]: value } = body
  if (value === undefined || value === null) return null
  const limit = read(value)
  if (limit !== null) return limit
  const message = `${field} is stored and not enforced: values of ${withArticle(dataType)} are compared with ${says}, not with ${JSON.stringify(value)}${flaw?.(value) ?? ''}`
  report('warning', 'boundary-not-enforced', [field], message)
  return null
}
