import { domainToASCII, domainToUnicode } from 'node:url'

// An address has one spelling here: lower case, and its domain as the DNS has it (IDNA). What looks like another address
// but is not, such as one in full-width letters, has none: nobody shall be taken for somebody else.

const LONGEST = 254
/** Neither blanks nor anything invisible, nor what only a quoted local part can have (RFC 5322, section 3.2.3). */
const LOCAL = /^[^\p{C}\p{Z}@"(),:;<>[\\\]]+$/u
const LABELS = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** Null where it is no e-mail address, is spelled with compatibility characters, or leads nowhere (RFC 2606). */
export function normalAddress(text: string): string | null {
  if (text.length > LONGEST || !isNormal(text)) return null
  const at = text.lastIndexOf('@')
  const [local, domain] = [text.slice(0, at), normalDomain(text.slice(at + 1))]
  return at < 1 || domain === null || !LOCAL.test(local) ? null : `${local.toLowerCase()}@${domain}`
}

/** Null where it is none: also an address of numbers, and one under `.invalid`. */
export function normalDomain(text: string): string | null {
  if (text === '' || !isNormal(text) || /[\s%:/?#@[\]\\]/.test(text)) return null
  const domain = domainToASCII(text.toLowerCase())
  const isDomain = domain.length <= 253 && LABELS.test(domain) && !/(?:^|\.)(?:\d+|invalid)$/.test(domain)
  return isDomain ? domain : null
}

/** Of a normal address. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1)
}

/** How a document can spell a normal address, apart from upper and lower case. */
export function spellingsOf(address: string): readonly string[] {
  const domain = domainOf(address)
  const local = address.slice(0, -domain.length)
  return [...new Set([address, local + domainToUnicode(domain)])]
}

/** Whether it has no characters that are only other forms of others (Unicode, annex 15). */
export function isNormal(text: string): boolean {
  return text.isWellFormed() && text.normalize('NFKC') === text
}
