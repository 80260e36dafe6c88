import { withArticle } from '../../lib/article.ts'
import type { Report } from '../record-type.ts'
import { BOUNDARY_FIELDS, type BoundaryField, type BoundaryForm } from '../values/boundary.ts'
import { DATA_TYPE_DECLARATIONS } from './data-type.ts'
import type { TypedCharacteristic } from './declaration.ts'

/** Warns about boundaries that no value is compared with, and rejects those that no value could meet. */
export function checkBoundaries(body: TypedCharacteristic, report: Report): void {
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
