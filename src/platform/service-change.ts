import { HoldfastError } from '../lib/errors.ts'
import type { Domain } from '../store/domains.ts'

// X-Service-Change is opaque to clients, so that it may be extended. For datapoints it is the number of the flush
// that stored a batch, as eleven characters for 64 bits. Other changes begin with a letter.

export function flushCursor(generation: number): string {
  return numberText(generation)
}

/** The cursor of a change of setpoints, by its number. */
export function setpointCursor(change: number): string {
  return `s${numberText(change)}`
}

function numberText(value: number): string {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(value))
  return bytes.toString('base64url')
}

type Identified = Pick<Domain, 'uuid'>

/** The value for clients. It begins with a text that identifies the domain and differs in every other database. */
export function serviceChange(domain: Identified, cursor: string): string {
  return `${markOf(domain)}.${cursor}`
}

const marks = new WeakMap<Identified, string>()

/** Made once for each domain, because every answer to a batch of datapoints contains it. */
function markOf(domain: Identified): string {
  const known = marks.get(domain)
  if (known !== undefined) return known
  const mark = Buffer.from(domain.uuid.replaceAll('-', '').slice(0, 12), 'hex').toString('base64url')
  marks.set(domain, mark)
  return mark
}

const FORM = /^([\w-]{8})\.([a-z]?)([\w-]{11})$/

/** The flush that a client's X-Service-Change names; 0 if it belongs to another kind of change. */
export function readServiceChange(domain: Identified, text: string): number {
  const [, mark, other, number] = FORM.exec(text) ?? []
  const bytes = Buffer.from(number ?? '', 'base64url')
  if (number === undefined || bytes.length !== 8 || bytes[0] !== 0 || bytes.toString('base64url') !== number)
    throw new HoldfastError('BAD_USER_INPUT', 'this is not an X-Service-Change of the platform')
  if (mark !== markOf(domain))
    throw new HoldfastError('CONFLICT', 'this X-Service-Change belongs to another domain or database')
  return other === '' ? Number(bytes.readBigUInt64BE()) : 0
}
