import type { RecordKey } from './record-type.ts'
import { recordType } from './registry.ts'

/** Whether the platform has a record of this key for itself: it signs in with it, and no document is about it. */
export function isReserved({ type, key }: RecordKey): boolean {
  return recordType(type).reserved?.includes(key) === true
}

/** `"operator" is the platform's own MachineUser` */
export function reservedText({ type, key }: RecordKey): string {
  return `${JSON.stringify(key)} is the platform's own ${recordType(type).definition}`
}
