import type { RecordKey } from './record-type.ts'

/** `type/key`: one name for a record in maps over all types. */
export function recordId({ type, key }: RecordKey): string {
  return `${type}/${key}`
}

/** Whether a record is one of these. */
export function membership(records: readonly RecordKey[]): (record: RecordKey) => boolean {
  const members = new Set(records.map(recordId))
  return (record) => members.has(recordId(record))
}
