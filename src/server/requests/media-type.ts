/** The content of a Content-Type header (RFC 9110, section 8.3), in lower case. */
export interface MediaType {
  readonly type: string
  /** False if the header names a character encoding other than UTF-8. */
  readonly isUtf8: boolean
}

/** The names of the encoding. The second is no registered name, but many programs write it. */
const UTF8 = new Set(['charset=utf-8', 'charset=utf8'])

/** The media type of nearly all requests. */
const JSON_TYPE: MediaType = { type: 'application/json', isUtf8: true }

export function readMediaType(header: string | undefined): MediaType {
  if (header === JSON_TYPE.type) return JSON_TYPE
  const [type = '', ...parameters] = (header ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.replaceAll('"', '')
  return { type, isUtf8: charset === undefined || UTF8.has(charset) }
}
