import { domainOf, normalDomain } from './email-address.ts'
import { quoted } from '../lib/quoted.ts'

// These are the domains for which an identity provider is trusted to have verified e-mail addresses, so that an
// address proves who someone is.

export const MOST_EMAIL_DOMAINS = 100

/** Anyone can register domains under these suffixes, and under any single label. All: https://publicsuffix.org. */
const PUBLIC = /^(?:ac|co|com|edu|gov|net|org)\.[a-z]{2}$/

/** Returns the domains in their normal form. Other texts stay, so that `emailDomainProblems` can report them. */
export function completeEmailDomains(domains: readonly string[]): readonly string[] {
  return [...new Set(domains.map((domain) => normalDomain(domain) ?? domain))]
}

export function emailDomainProblems(domains: readonly string[]): string[] {
  if (domains.length > MOST_EMAIL_DOMAINS)
    return [`emailDomains has ${domains.length} domains, and at most ${MOST_EMAIL_DOMAINS} are possible`]
  return domains.flatMap((domain) => {
    const problem = problemOf(domain)
    return problem === null ? [] : [`emailDomains: ${quoted(domain)} ${problem}`]
  })
}

function problemOf(domain: string): string | null {
  if (domain.includes('*')) return 'is a pattern; name each domain, subdomains too'
  if (domain.includes('@')) return 'is an address; name only the part after the @'
  if (normalDomain(domain) !== domain) return 'is no domain of e-mail addresses, such as example.com'
  if (!domain.includes('.') || PUBLIC.test(domain))
    return 'is a domain in which anybody can register; name your own domains'
  return null
}

/** Tells whether the domain of a normal address is listed. A subdomain must be listed itself. */
export function coversAddress(
  { emailDomains }: { readonly emailDomains: readonly string[] },
  address: string,
): boolean {
  return emailDomains.includes(domainOf(address))
}
