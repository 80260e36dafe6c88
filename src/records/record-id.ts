import type { RecordKey } from './record-type.ts'

/** `type/key`: the name of a record in maps over all types. */
export function recordId({ type, key }: RecordKey): string {
  return `${type}/${key}`
}

/** Returns a function that tells whether a record is in the list. */
export function membership(records: readonly RecordKey[]): (record: RecordKey) => boolean {
  const members = new Set(records.map(recordId))
  return (record) => members.has(recordId(record))
}
