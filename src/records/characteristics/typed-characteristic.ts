import type { Characteristic } from '../../../generated/import-document.ts'

/** The valid fields of a characteristic, with the data type that decides about the others. */
export type TypedCharacteristic = Partial<Characteristic> & Pick<Characteristic, 'dataType'>

export function hasDataType(body: Partial<Characteristic>): body is TypedCharacteristic {
  return body.dataType !== undefined
}
