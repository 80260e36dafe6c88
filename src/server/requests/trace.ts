import { randomFillSync } from 'node:crypto'

/** The form version-traceid-parentid-flags. Versions after 00 may go on (W3C Trace Context, section 3.2). */
const TRACE_PARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/

/** The trace-id of a request: the client's own, so that its trace continues here, or a new one. */
export function traceIdOf(traceParent: string | undefined): string {
  if (traceParent === undefined) return newTraceId()
  const [, version, traceId, more] = TRACE_PARENT.exec(traceParent) ?? []
  const isValid = traceId !== undefined && (version !== '00' || more === undefined)
  return isValid ? traceId : newTraceId()
}

const BYTES = 16
/** Drawn for many requests at once, because drawing costs ten times as much as formatting. */
const drawn = Buffer.alloc(BYTES * 256)
let used = drawn.length

function newTraceId(): string {
  if (used === drawn.length) {
    randomFillSync(drawn)
    used = 0
  }
  used += BYTES
  return drawn.toString('hex', used - BYTES, used)
}
