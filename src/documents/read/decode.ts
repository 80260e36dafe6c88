import type { Finding } from '../checks/finding.ts'

interface DecodedText {
  /** The text without a leading byte order mark. It leaves out undecodable bytes, so findings have positions. */
  readonly text: string
  readonly findings: readonly Finding[]
}

// Both decoders drop a leading byte order mark, which Windows editors write and which has no meaning.
const STRICT = new TextDecoder('utf-8', { fatal: true })
const LENIENT = new TextDecoder('utf-8')
const ENCODER = new TextEncoder()

/** Decodes a file, which must be UTF-8. */
export function decode(bytes: Uint8Array): DecodedText {
  if (looksLikeUtf16(bytes)) {
    const message = 'the file is UTF-16; save it as UTF-8.'
    return { text: '', findings: [{ code: 'not-utf8', message, offset: 0 }] }
  }
  try {
    return { text: STRICT.decode(bytes), findings: [] }
  } catch {
    return explainBytes(bytes)
  }
}

/** Recognises UTF-16 by its byte order mark, or a zero in the first two bytes, which no JSON or YAML in UTF-8 has. */
function looksLikeUtf16([first, second]: Uint8Array): boolean {
  const mark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  return mark || first === 0 || second === 0
}

function explainBytes(bytes: Uint8Array): DecodedText {
  const text = LENIENT.decode(bytes)
  const { at, byte } = firstReplaced(text, bytes)
  const value = `0x${(bytes[byte] ?? 0).toString(16).toUpperCase().padStart(2, '0')}`
  const message = `the file is not UTF-8: byte ${byte} (${value}) belongs to another encoding; save the file as UTF-8.`
  return { text, findings: [{ code: 'not-utf8', message, offset: at }] }
}

/** Finds the first U+FFFD that replaces undecodable bytes. One that is written in the file (EF BF BD) is skipped. */
function firstReplaced(text: string, bytes: Uint8Array): { at: number; byte: number } {
  let byte = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  let from = 0
  for (;;) {
    const at = text.indexOf('\ufffd', from)
    byte += ENCODER.encode(text.slice(from, at)).length
    const genuine = bytes[byte] === 0xef && bytes[byte + 1] === 0xbf && bytes[byte + 2] === 0xbd
    if (!genuine) return { at, byte }
    byte += 3
    from = at + 1
  }
}
