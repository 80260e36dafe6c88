import type { Json } from '../../lib/json.ts'

/** Stored JSON text; a text as it is that was stored while the characteristic was of another type. */
export function parsedText(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}
