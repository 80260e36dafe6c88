import type { ApplicationConsumer } from '../../../generated/import-document.ts'
import { commonScopes, DEFAULT_SCOPES, rightsOf } from '../../auth/scopes.ts'
import type { Json } from '../../lib/json.ts'
import { plainText } from '../../lib/visible-text.ts'
import type { RecordBody } from '../record-type.ts'

/**
 * Lists what an application gains by a change: scopes, other ways to get tokens, other redirect addresses, no consent
 * page, or another secret. Empty if it gains nothing. An application acts for people, so their roles limit it further.
 */
export function gainedPowers(before: RecordBody | null, after: RecordBody | null, hasNewSecret: boolean): string[] {
  const now = after === null ? null : powersOf(after)
  if (now === null) return []
  const had = (before === null ? null : powersOf(before)) ?? NOTHING
  const common = commonScopes(now.scopes, had.scopes)
  // `openid` is no gain, because with any scope an application may ask who a person is.
  const scopes = now.scopes.filter((scope) => scope !== 'openid' && !common.includes(scope))
  return [
    ...(had === NOTHING
      ? [`the use of ${now.scopes.map(plainText).join(', ')} by ${[...now.grantTypes].join(', ')}`]
      : [
          ...scopes.map((scope) => `the scope ${plainText(scope)}`),
          ...[...now.grantTypes.difference(had.grantTypes)].map((type) => `the grant type ${type}`),
        ]),
    ...[...now.addresses.difference(had.addresses)].map((address) => `the redirect URI ${plainText(address)}`),
    ...(now.asksNoConsent && !had.asksNoConsent ? ['no question for consent'] : []),
    ...(hasNewSecret ? ['a new secret'] : []),
  ]
}

interface Powers {
  readonly scopes: readonly string[]
  readonly grantTypes: ReadonlySet<string>
  readonly addresses: ReadonlySet<string>
  readonly asksNoConsent: boolean
}

const NOTHING: Powers = {
  scopes: [],
  grantTypes: new Set(),
  addresses: new Set(),
  asksNoConsent: false,
}

/** Null for an application that gets no tokens, or only tokens that allow nothing. */
function powersOf(body: RecordBody): Powers | null {
  const listOf = (field: keyof ApplicationConsumer) => textsIn(body[field])
  const scopes = body['scopes'] === undefined ? DEFAULT_SCOPES : listOf('scopes')
  const grantTypes = listOf('grantTypes')
  if ((body['status'] ?? 'ACTIVATED') !== 'ACTIVATED' || grantTypes.length === 0 || rightsOf(scopes).size === 0)
    return null
  const addresses = [...listOf('defaultRedirectUri'), ...listOf('redirectUris')]
  return {
    scopes,
    grantTypes: new Set(grantTypes),
    addresses: new Set(grantTypes.includes('AUTHORIZATION_CODE') ? addresses : []),
    asksNoConsent: body['noExplicitConsentRequired'] === true,
  }
}

/** The texts in a list. The canonical form omits null and empty lists. */
function textsIn(value: Json | undefined): string[] {
  return [value].flat().filter((one) => typeof one === 'string')
}
