import type { RecordTypeName } from '../../records/record-type.ts'

/**
 * SQL for the records at the other end of the links of one type. Each step finds one row by its uuid and looks at the
 * type afterwards: asked for both, and without statistics, PostgreSQL would rather look through all records of that
 * type. `offset 0` keeps it from joining all links first.
 */
export function linked(uuid: string, linkType: RecordTypeName, type: RecordTypeName): string {
  return `(
    select far.uuid, far.key, far.body, link.body as link
    from record_references near
    cross join lateral ${recordOf('near.from_uuid')} link
    join record_references other on other.domain_id = $1 and other.from_uuid = link.uuid
    cross join lateral ${recordOf('other.to_uuid')} far
    where near.domain_id = $1 and near.to_uuid = ${uuid} and link.type = '${linkType}' and far.type = '${type}'
    offset 0
  )`
}

/** SQL for the record with a uuid, for a lateral join: see `linked`. */
export function recordOf(uuid: string): string {
  return `(select r.uuid, r.type, r.key, r.body from records r where r.domain_id = $1 and r.uuid = ${uuid} limit 1)`
}
