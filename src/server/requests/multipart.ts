// Forms with files (RFC 7578), as browsers send them. One search of the bytes finds all parts. A parser that makes a
// value of each part takes minutes for a body of small parts, and blocks all other requests.

export interface Part {
  readonly name: string
  /** Null for a field that is no file. */
  readonly fileName: string | null
  /** A part of the body, which is not copied. */
  readonly bytes: Buffer
}

/** The reasons not to read a form. */
export type Unread = 'malformed' | 'too many'

const LONGEST_HEADERS = 4_096
const END_OF_HEADERS = '\r\n\r\n'
const CRLF = 2

/** The boundary that a content type names (RFC 2046, section 5.1.1); null if there is none. */
export function boundaryOf(contentType: string): string | null {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70})(?:[\s;]|$))/i.exec(contentType) ?? []
  return quoted ?? plain ?? null
}

export function readMultipart(body: Buffer, boundary: string, most: number): readonly Part[] | Unread {
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  const first = delimiter.subarray(CRLF)
  if (!body.subarray(0, first.length).equals(first)) return 'malformed'
  const parts: Part[] = []
  for (let at = first.length; ;) {
    const line = body.toString('latin1', at, at + CRLF)
    if (line === '--') return parts
    if (line !== '\r\n') return 'malformed'
    const headers = body.subarray(at, at + LONGEST_HEADERS)
    const length = headers.indexOf(END_OF_HEADERS)
    const begin = at + length + END_OF_HEADERS.length
    const end = length === -1 ? -1 : body.indexOf(delimiter, begin)
    const named = dispositionOf(headers.toString('utf8', 0, Math.max(0, length)))
    if (end === -1 || named === null) return 'malformed'
    if (parts.length === most) return 'too many'
    parts.push({ ...named, bytes: body.subarray(begin, end) })
    at = end + delimiter.length
  }
}

function dispositionOf(headers: string): Omit<Part, 'bytes'> | null {
  const [, disposition] = /^content-disposition:\s*form-data\s*(;.*)$/im.exec(headers) ?? []
  const name = parameterOf(disposition, 'name')
  return name === null ? null : { name, fileName: parameterOf(disposition, 'filename') }
}

/** In names, browsers encode quotation marks and line ends as in URLs (HTML, section 4.10.22.8). */
function parameterOf(disposition: string | undefined, parameter: string): string | null {
  const [, value] = new RegExp(`;\\s*${parameter}="([^"]*)"`, 'i').exec(disposition ?? '') ?? []
  return value?.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n') ?? null
}
