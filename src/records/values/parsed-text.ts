import { parseJson, type Json } from '../../lib/json.ts'

/** Parses stored JSON text. Text that was stored while the characteristic had another type is returned as it is. */
export function parsedText(text: string): Json {
  try {
    return parseJson(text)
  } catch {
    return text
  }
}
