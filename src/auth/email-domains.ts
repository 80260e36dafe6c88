import { domainOf, normalDomain } from './email-address.ts'

// The domains for which a provider's word, that it has verified an e-mail address, is proof of who somebody is.

const MOST = 100

/** Under these, and under every domain of one label, anybody can have a domain: https://publicsuffix.org has the rest. */
const PUBLIC = /^(?:ac|co|com|edu|gov|net|org)\.[a-z]{2}$/

/** In their one spelling; what is no domain stays as it is, for `emailDomainProblems` to name. */
export function completeEmailDomains(domains: readonly string[]): readonly string[] {
  return [...new Set(domains.map((domain) => normalDomain(domain) ?? domain))]
}

export function emailDomainProblems(domains: readonly string[]): string[] {
  if (domains.length > MOST) return [`emailDomains has ${domains.length} domains, and at most ${MOST} are possible`]
  return domains.flatMap((domain) => {
    const problem = problemOf(domain)
    return problem === null ? [] : [`emailDomains: ${JSON.stringify(domain)} ${problem}`]
  })
}

function problemOf(domain: string): string | null {
  if (domain.includes('*')) return 'is a pattern; name each domain, subdomains too'
  if (domain.includes('@')) return 'is an address; name only what comes after the @'
  if (normalDomain(domain) !== domain) return 'is no domain of e-mail addresses, such as example.com'
  if (!domain.includes('.') || PUBLIC.test(domain))
    return 'is a domain under which anybody can have one; name those that are yours'
  return null
}

/** Of a normal address. A subdomain counts only where it is listed itself. */
export function coversAddress(
  { emailDomains }: { readonly emailDomains: readonly string[] },
  address: string,
): boolean {
  return emailDomains.includes(domainOf(address))
}
