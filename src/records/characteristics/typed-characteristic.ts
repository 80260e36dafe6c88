import type { Characteristic } from '../../../generated/import-document.ts'

/** What is sound of a characteristic, with its data type, on which depends what its other fields may say. */
export type TypedCharacteristic = Partial<Characteristic> & Pick<Characteristic, 'dataType'>

export function hasDataType(body: Partial<Characteristic>): body is TypedCharacteristic {
  return body.dataType !== undefined
}
