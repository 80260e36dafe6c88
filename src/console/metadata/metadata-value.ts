import type { TypedMetadataValue } from '../../../generated/import-document.ts'
import type { JsonObject } from '../../lib/json.ts'
import { instantFlaw } from '../../records/instant.ts'
import { fitsDataType, METADATA_TAGS, type MetadataDataType } from '../../records/metadata.ts'

/** How a value of each type is written, for error messages. */
export const WRITTEN_AS: { readonly [dataType in MetadataDataType]: string } = {
  STRING: 'a text',
  FLOAT: 'a number, such as 12.5',
  INTEGER: 'a whole number, such as 12',
  BOOLEAN: 'yes or no',
  TIMESTAMP: 'a date with its time, such as 2026-01-31T12:00:00Z',
  UUID: 'a UUID, such as 3f2b8a52-7c1e-4d55-9b8e-0f6f2f0c6a10',
}

/** Reads the value that a person entered. */
export function readMetadataValue(
  text: string,
  dataType: MetadataDataType,
): { readonly value: JsonObject & TypedMetadataValue } | { readonly problem: string } {
  const plain = plainOf(dataType === 'STRING' ? text : text.trim(), dataType)
  if (plain === null || !fitsDataType(plain, dataType))
    return { problem: `write ${WRITTEN_AS[dataType]}${dataType === 'TIMESTAMP' ? instantFlaw(text.trim()) : ''}` }
  return { value: { [METADATA_TAGS[dataType]]: plain } }
}

type Plain = string | number | boolean

function plainOf(text: string, dataType: MetadataDataType): Plain | null {
  if (dataType === 'BOOLEAN') return text === 'true' ? true : text === 'false' ? false : null
  if (dataType !== 'FLOAT' && dataType !== 'INTEGER') return text
  // JSON syntax, which excludes NaN, hexadecimal numbers and empty texts.
  if (!/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) return null
  const number = Number(text)
  if (!Number.isFinite(number)) return null
  return dataType === 'INTEGER' && !Number.isSafeInteger(number) ? text : number
}
