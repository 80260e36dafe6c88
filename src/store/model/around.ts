/** SQL for: the record `r` is in the uuids of a parameter, or refers to one of them. True if the parameter is null. */
export const isAround = (
  parameter: `$${number}`,
) => `(${parameter}::uuid[] is null or r.uuid = any (${parameter}::uuid[]) or exists (
    select from record_references reference
    where reference.domain_id = $1 and reference.from_uuid = r.uuid and reference.to_uuid = any (${parameter}::uuid[])))`
