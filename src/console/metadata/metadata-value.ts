import type { TypedMetadataValue } from '../../../generated/import-document.ts'
import type { JsonObject } from '../../lib/json.ts'
import { instantFlaw } from '../../records/instant.ts'
import { fitsDataType, plainValue, type MetadataDataType } from '../../records/metadata.ts'

/** How a value of each type is written, for error messages. */
export const WRITTEN_AS: { readonly [dataType in MetadataDataType]: string } = {
  STRING: 'a text',
  FLOAT: 'a number, such as 12.5',
  INTEGER: 'a whole number, such as 12',
  BOOLEAN: 'yes or no',
  TIMESTAMP: 'a date with its time, such as 2026-01-31T12:00:00Z',
  UUID: 'a UUID, such as 3f2b8a52-7c1e-4d55-9b8e-0f6f2f0c6a10',
}

type Entered = JsonObject & TypedMetadataValue

/** Reads the value that a person entered. */
export function readMetadataValue(
  text: string,
  dataType: MetadataDataType,
): { readonly value: Entered } | { readonly problem: string } {
  const value = READERS[dataType](dataType === 'STRING' ? text : text.trim())
  if (value === null || !fitsDataType(plainValue(value), dataType))
    return { problem: `write ${WRITTEN_AS[dataType]}${dataType === 'TIMESTAMP' ? instantFlaw(text.trim()) : ''}` }
  return { value }
}

const READERS: { readonly [dataType in MetadataDataType]: (text: string) => Entered | null } = {
  STRING: (text) => ({ string: text }),
  FLOAT: (text) => {
    const float = numberOf(text)
    return float === null ? null : { float }
  },
  INTEGER: (text) => {
    const integer = numberOf(text)
    return integer === null ? null : { integer: Number.isSafeInteger(integer) ? integer : text }
  },
  BOOLEAN: (text) => (text === 'true' || text === 'false' ? { boolean: text === 'true' } : null),
  TIMESTAMP: (text) => ({ timestamp: text }),
  UUID: (text) => ({ uuid: text }),
}

/** Reads JSON syntax, which excludes NaN, hexadecimal numbers and empty texts. */
function numberOf(text: string): number | null {
  const number = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(number) ? number : null
}
