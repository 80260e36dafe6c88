import type { ApplicationConsumer } from '../../../generated/import-document.ts'
import { redirectUriProblem } from '../../auth/redirect-uri.ts'
import { isScope, SCOPES } from '../../auth/scopes.ts'
import { MAKE_A_SECRET } from '../../auth/secret-strength.ts'
import { quoted } from '../../lib/quoted.ts'
import { didYouMean } from '../../lib/suggest.ts'
import { declareRecordType, type Report } from '../record-type.ts'
import { standsForSecret } from '../secret.ts'
import { reportWeakness } from '../weak-secret.ts'

const SCOPE_NAMES = Object.keys(SCOPES)

/** The characters that need no escaping (RFC 3986, section 2.3). So all clients send the client_id in the same form. */
const SLUG = /^[A-Za-z0-9._~-]+$/

function checkSlug(slug: string, report: Report): void {
  if (SLUG.test(slug)) return
  const message = `the slug ${JSON.stringify(slug)} becomes a client_id, which OAuth clients can only send of letters without accents, digits and . _ ~ -`
  report('error', 'slug-characters', ['slug'], message)
}

function checkSecret(secret: string, report: Report): void {
  if (standsForSecret(secret)) return
  // RFC 6749, appendix A.2, allows only these characters, and Basic transports no others.
  if (!/^[\x20-\x7e]*$/.test(secret))
    report(
      'error',
      'secret-characters',
      ['secret'],
      `the secret holds characters beyond ASCII, which no client can send by Basic; ${MAKE_A_SECRET}`,
    )
  // Many clients put the secret into a Basic header without encoding it, although section 2.3.1 requires that.
  else if (/[+% ]/.test(secret))
    report(
      'warning',
      'secret-characters',
      ['secret'],
      'the secret holds characters (+, % or a blank) that many clients fail to send in a Basic header; letters, digits, - and _ are safe',
    )
  reportWeakness(secret, 'secret', report)
}

function checkAddresses({ defaultRedirectUri, redirectUris }: Partial<ApplicationConsumer>, report: Report): void {
  const check = (uri: string, path: readonly (string | number)[]) => {
    const problem = redirectUriProblem(uri)
    if (problem !== null) report('error', 'redirect-uri', path, `the address ${quoted(uri)} ${problem}`)
  }
  if (defaultRedirectUri) check(defaultRedirectUri, ['defaultRedirectUri'])
  for (const [index, uri] of (redirectUris ?? []).entries()) check(uri, ['redirectUris', index])
}

export const applicationConsumer = declareRecordType({
  name: 'applicationConsumers',
  definition: 'ApplicationConsumer',
  identity: ['slug'],
  secret: 'secret',
  secretKind: 'client-secret',
  signsIn: 'client',
  reserved: ['holdfast-cli', 'holdfast-console'],
  sets: ['grantTypes', 'redirectUris', 'scopes'],
  emptyIsSet: ['redirectUris', 'scopes'],
  check(consumer, report) {
    const { slug, secret, grantTypes } = consumer
    if (slug !== undefined) checkSlug(slug, report)
    if (secret !== undefined) checkSecret(secret, report)
    checkAddresses(consumer, report)
    for (const [index, scope] of (consumer.scopes ?? []).entries()) {
      if (isScope(scope)) continue
      const hint = didYouMean(scope, SCOPE_NAMES) || ` Known are ${SCOPE_NAMES.join(', ')}.`
      const name = quoted(scope)
      report('warning', 'unknown-scope', ['scopes', index], `the scope ${name} allows nothing on this platform.${hint}`)
    }
    // A consumer without scopes only introspects tokens of others (RFC 7662).
    if (grantTypes?.length === 0 && consumer.scopes?.length !== 0)
      report(
        'warning',
        'no-grant-types',
        ['grantTypes'],
        'without grantTypes the application gets no tokens; add AUTHORIZATION_CODE or PASSWORD, or write `scopes: []` if it only asks about the tokens of others',
      )
    const needsRedirect = grantTypes?.includes('AUTHORIZATION_CODE') === true
    const hasRedirect = Boolean(consumer.defaultRedirectUri) || (consumer.redirectUris ?? []).length > 0
    if (needsRedirect && !hasRedirect) {
      report(
        'warning',
        'redirect-uri-missing',
        ['grantTypes'],
        'AUTHORIZATION_CODE sends users back to the application, and cannot be used before there is one of redirectUris or defaultRedirectUri',
      )
    }
  },
})
