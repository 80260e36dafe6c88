import type { RecordKey } from './record-type.ts'
import { recordType } from './registry.ts'

/** Tells whether the platform reserves the key for a record that it signs in with itself. */
export function isReserved({ type, key }: RecordKey): boolean {
  return recordType(type).reserved?.includes(key) === true
}

/** `"operator" is the platform's own MachineUser` */
export function reservedText({ type, key }: RecordKey): string {
  return `${JSON.stringify(key)} is the platform's own ${recordType(type).definition}`
}
