import type { RecordKey } from './record-type.ts'
import { recordType } from './registry.ts'

/** Tells whether the key belongs to a record of the platform itself. */
export function isReserved({ type, key }: RecordKey): boolean {
  return recordType(type).reserved?.includes(key) === true
}

/** `"operator" is the platform's own MachineUser` */
export function reservedText({ type, key }: RecordKey): string {
  return `${JSON.stringify(key)} is the platform's own ${recordType(type).definition}`
}
