/**
 * An expression: whether the record of the alias `r` is one of those whose uuids a parameter has, or refers to one of
 * them. Null has all of them.
 */
export const isAround = (
  parameter: `$${number}`,
) => `(${parameter}::uuid[] is null or r.uuid = any (${parameter}::uuid[]) or exists (
    select from record_references reference
    where reference.domain_id = $1 and reference.from_uuid = r.uuid and reference.to_uuid = any (${parameter}::uuid[])))`
