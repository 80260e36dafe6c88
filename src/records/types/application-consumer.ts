import type { ApplicationConsumer } from '../../../generated/import-document.ts'
import { isScope, SCOPES } from '../../auth/scopes.ts'
import { didYouMean } from '../../lib/suggest.ts'
import { declareRecordType } from '../record-type.ts'
import { isUnresolvedReference } from '../secret.ts'

const SCOPE_NAMES = Object.keys(SCOPES)

export const applicationConsumer = declareRecordType<ApplicationConsumer>({
  name: 'applicationConsumers',
  definition: 'ApplicationConsumer',
  identity: ['slug'],
  secret: 'secret',
  secretKind: 'client-secret',
  signsIn: 'client',
  reserved: ['holdfast-cli'],
  sets: ['grantTypes', 'redirectUris', 'scopes'],
  emptyIsSet: ['redirectUris', 'scopes'],
  check(consumer, report) {
    // RFC 6749 section 2.3.1: many clients put the secret into a Basic header without encoding it first.
    if (!isUnresolvedReference(consumer.secret) && !/^[\x21-\x7e]*$/.test(consumer.secret.replace(/[+%]/g, ' '))) {
      report(
        'warning',
        'secret-characters',
        ['secret'],
        'the secret holds characters (+, %, white space or beyond ASCII) that many clients fail to send in a Basic header; letters, digits, - and _ are safe',
      )
    }
    for (const [index, scope] of (consumer.scopes ?? []).entries()) {
      if (isScope(scope)) continue
      const hint = didYouMean(scope, SCOPE_NAMES) || ` Known are ${SCOPE_NAMES.join(', ')}.`
      const name = JSON.stringify(scope)
      report('warning', 'unknown-scope', ['scopes', index], `the scope ${name} allows nothing on this platform.${hint}`)
    }
    const needsRedirect = consumer.grantTypes.includes('AUTHORIZATION_CODE')
    const hasRedirect = Boolean(consumer.defaultRedirectUri) || (consumer.redirectUris ?? []).length > 0
    if (needsRedirect && !hasRedirect) {
      report(
        'error',
        'redirect-uri-missing',
        ['grantTypes'],
        'AUTHORIZATION_CODE sends users back to the application: give at least one of redirectUris or defaultRedirectUri',
      )
    }
  },
})
