import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import type { Transform } from 'node:stream'
import { acceptedCoding } from './accepted-type.ts'
import { Answer } from './answer.ts'
import { CODINGS, PACKING, type Coding } from './content-coding.ts'

/** Smaller answers fit into one packet anyway. */
const LEAST_BYTES = 1_024

/** Bodies up to this size are compressed at once, in less than half a millisecond. A thread would take longer. */
const MOST_AT_ONCE = 65_536

/** Node has four threads, which also read files, hash passwords and resolve names. */
const MOST_PACKERS = 2
let packers = 0

/** Each compressor of a stream holds 2 MB, for as long as a slow client reads. */
const MOST_STREAMS = 32
let streams = 0

const TYPES =
  /^(?:text\/(?:css|csv|html|javascript|markdown|plain)|application\/(?:[\w.-]+\+)?json|application\/x-ndjson|image\/svg\+xml)(?:;|$)/

/** The beginning of an answer that may be compressed, until its first bytes are known. */
interface Head {
  readonly status: number
  /** With names in lower case. */
  readonly headers: OutgoingHttpHeaders
}

/**
 * An answer that is compressed if the client accepts that (docs/decisions/0080). A body that is known as a whole is
 * compressed before it is sent, so the client learns its length. A stream is flushed after each write, so that nothing
 * waits in the compressor. The ETag of an answer that may be compressed must be weak, because it names the content and
 * not its bytes (RFC 9110, section 8.8.1).
 */
export class PackedAnswer<Request extends IncomingMessage = IncomingMessage> extends Answer<Request> {
  #head: Head | null = null
  #packer: Transform | null = null

  protected override begin(status: number, headers: OutgoingHttpHeaders): this {
    if (this.req.headers['accept-encoding'] === undefined) return super.begin(status, headers)
    const head = { status, headers: inLowerCase(headers) }
    if (!mayPack(this.req, head)) return super.begin(status, headers)
    if (this.req.method === 'HEAD') return super.begin(status, this.#withoutBody(head.headers))
    this.#head = head
    return this
  }

  override flushHeaders(): void {
    this.#beginStream()
    super.flushHeaders()
  }

  override write(piece: unknown): boolean {
    this.#beginStream()
    return this.#packer === null ? super.write(piece) : this.#packer.write(piece)
  }

  override end(body?: unknown): this {
    const head = this.#head
    if (head !== null) {
      this.#head = null
      this.#endWhole(head, typeof body === 'string' || body instanceof Uint8Array ? body : '')
      return this
    }
    if (this.#packer === null) return super.end(body)
    this.#packer.end(body)
    return this
  }

  #endWhole({ status, headers }: Head, body: string | Uint8Array): void {
    const size = Buffer.byteLength(body)
    const own = size < LEAST_BYTES ? headers : varying(headers)
    const coding = size < LEAST_BYTES ? null : this.#coding()
    const send = (pieces: readonly Uint8Array[]): void => {
      const packedSize = pieces.reduce((sum, { length }) => sum + length, 0)
      const isSmaller = coding !== null && packedSize > 0 && packedSize < size
      super.begin(status, isSmaller ? { ...packed(own, coding), 'content-length': packedSize } : own)
      if (!isSmaller) return void super.end(body)
      for (const piece of pieces) super.write(piece)
      super.end()
    }
    if (coding === null) send([])
    else if (size <= MOST_AT_ONCE) send([PACKING[coding].atOnce(Buffer.from(body))])
    else this.#pack(PACKING[coding].whole, body, send)
  }

  /** Compresses a large body if a thread is free for it. It stops if the client disconnects. */
  #pack(packing: () => Transform, body: string | Uint8Array, send: (pieces: readonly Uint8Array[]) => void): void {
    if (this.destroyed || packers === MOST_PACKERS) return send([])
    packers += 1
    const packer = packing()
    const pieces: Uint8Array[] = []
    this.once('close', () => packer.destroy())
    packer.once('close', () => (packers -= 1))
    packer.on('data', (piece: Uint8Array) => pieces.push(piece))
    packer.once('end', () => send(pieces)).once('error', () => send([]))
    packer.end(body)
  }

  /**
   * The headers of an answer to HEAD. Like an answer to GET, it depends on the codings that the client accepts. Its
   * compressed length is not known here, so it has none.
   */
  #withoutBody(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
    if (isSmall(headers)) return headers
    if (this.#coding() === null) return varying(headers)
    const { 'content-length': _, ...others } = varying(headers)
    return others
  }

  #beginStream(): void {
    if (this.#head === null) return
    const { status, headers } = this.#head
    this.#head = null
    const coding = isSmall(headers) ? null : this.#coding()
    if (coding === null || this.destroyed || streams === MOST_STREAMS) {
      super.begin(status, isSmall(headers) ? headers : varying(headers))
      return
    }
    const { 'content-length': _, ...others } = packed(varying(headers), coding)
    super.begin(status, others)
    this.#packer = this.#through(PACKING[coding].flushing())
  }

  /** Connects a compressor, which takes further bytes only as fast as the client reads. */
  #through(packer: Transform): Transform {
    streams += 1
    packer.once('close', () => (streams -= 1))
    packer.on('data', (piece: Uint8Array) => {
      if (!super.write(piece)) packer.pause()
    })
    packer.on('drain', () => this.emit('drain'))
    this.on('drain', () => {
      if (!this.writableNeedDrain) packer.resume()
    })
    packer.once('end', () => super.end()).once('error', (error) => this.destroy(error))
    this.once('close', () => packer.destroy())
    return packer
  }

  #coding(): Coding | null {
    return acceptedCoding(this.req.headers['accept-encoding']?.toString(), CODINGS)
  }
}

function mayPack({ headers: asked }: IncomingMessage, { status, headers }: Head): boolean {
  const hasBody = status >= 200 && status !== 204 && status !== 206 && status !== 304
  if (!hasBody || headers['content-encoding'] !== undefined || isLedHere(asked)) return false
  if (headers['cache-control']?.toString().includes('no-transform') === true) return false
  return TYPES.test(String(headers['content-type']))
}

/**
 * Tells whether another site may have made a browser send this request with the person's cookies. Such a site could
 * guess secrets of a page by the length of many compressed answers that repeat its own text (BREACH).
 */
function isLedHere({ cookie, 'sec-fetch-site': site }: IncomingMessage['headers']): boolean {
  return cookie !== undefined && (site === 'cross-site' || site === 'same-site')
}

function inLowerCase(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

/** The headers of an answer that depends on the codings that a client accepts. */
function varying(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  const { vary } = headers
  if (vary !== undefined && /accept-encoding|\*/i.test(String(vary))) return headers
  return { ...headers, vary: vary === undefined ? 'accept-encoding' : `${String(vary)}, accept-encoding` }
}

function packed(headers: OutgoingHttpHeaders, coding: Coding): OutgoingHttpHeaders {
  return { ...headers, 'content-encoding': coding }
}

function isSmall(headers: OutgoingHttpHeaders): boolean {
  return Number(headers['content-length'] ?? Infinity) < LEAST_BYTES
}
