import { domainToASCII, domainToUnicode } from 'node:url'

// Each address has one spelling here: lower case, and the domain as in the DNS (IDNA). Addresses with look-alike
// characters, such as full-width letters, are rejected, so that nobody can pose as another person.

const LONGEST = 254
/** A local part has no blanks, invisible characters, or any that RFC 5322 (section 3.2.3) allows only in quotes. */
const LOCAL = /^[^\p{C}\p{Z}@"(),:;<>[\\\]]+$/u
const LABELS = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * Returns the normal form of an e-mail address. Returns null if the text is not an address, contains compatibility
 * characters, or has a domain that is reserved (RFC 2606).
 */
export function normalAddress(text: string): string | null {
  if (text.length > LONGEST || !isNormal(text)) return null
  const at = text.lastIndexOf('@')
  const [local, domain] = [text.slice(0, at), normalDomain(text.slice(at + 1))]
  return at < 1 || domain === null || !LOCAL.test(local) ? null : `${local.toLowerCase()}@${domain}`
}

/** Returns the normal form of a domain; null if the text is not a domain. IP addresses and `.invalid` are none. */
export function normalDomain(text: string): string | null {
  if (text === '' || !isNormal(text) || /[\s%:/?#@[\]\\]/.test(text)) return null
  const domain = domainToASCII(text.toLowerCase())
  const isDomain = domain.length <= 253 && LABELS.test(domain) && !/(?:^|\.)(?:\d+|invalid)$/.test(domain)
  return isDomain ? domain : null
}

/** The domain of a normal address. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1)
}

/** Returns the ways in which a document may spell a normal address, apart from upper and lower case. */
export function spellingsOf(address: string): readonly string[] {
  const domain = domainOf(address)
  const local = address.slice(0, -domain.length)
  return [...new Set([address, local + domainToUnicode(domain)])]
}

/** Tells whether a text has no compatibility characters (Unicode, annex 15). */
export function isNormal(text: string): boolean {
  return text.isWellFormed() && text.normalize('NFKC') === text
}
