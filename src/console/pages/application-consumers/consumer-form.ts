import { DEFAULT_SCOPES, SCOPES } from '../../../auth/scopes.ts'
import type { Json, JsonObject } from '../../../lib/json.ts'
import { html, type Html } from '../../../server/html.ts'
import { filledWith, lines, type Filled } from '../../form.ts'
import type { ShownValues } from '../../shown-with.ts'
import { checkboxes, textField } from '../../parts/fields.ts'

const GRANT_TYPES = [
  { value: 'AUTHORIZATION_CODE', label: 'People sign in with a browser', hint: 'authorization code' },
  { value: 'REFRESH_TOKEN', label: 'It may continue after people have left', hint: 'refresh token' },
  {
    value: 'PASSWORD',
    label: 'It sends a user name and a password',
    hint: 'password; for machine users and older programs',
  },
] as const

/** The fields of an application consumer but for its slug, which is its identity. */
export function consumerFields(filled: Filled): Html {
  return html`${textField(filled, { name: 'name', label: 'Name', hint: 'Shown to people when they sign in.', isRequired: true })}
  ${checkboxes(filled, { name: 'grantTypes', label: 'How it signs in' }, GRANT_TYPES)}
  ${textField(filled, {
    name: 'redirectUris',
    label: 'Addresses to which people are sent back',
    hint: 'One in a line, compared exactly as written.',
    isCode: true,
    rows: 3,
  })}
  ${checkboxes(
    filled,
    { name: 'scopes', label: 'What it may ask for', hint: 'At most what the person may do. None chosen: nothing.' },
    Object.entries(SCOPES).map(([value, { allows }]) => ({ value, label: value, hint: allows })),
  )}
  ${checkboxes(filled, { name: 'noExplicitConsentRequired', label: 'Consent' }, [
    { value: 'true', label: 'People are not asked whether it may act for them' },
  ])}`
}

/** The first values of the form for a new consumer. */
export const USUAL: Filled = filledWith({ grantTypes: 'AUTHORIZATION_CODE', scopes: DEFAULT_SCOPES })

/** The record of a consumer from a filled form. Without scopes, the consumer keeps the usual ones. */
export function consumerOf(filled: Filled, stored: JsonObject = {}): JsonObject {
  const scopes = filled.all('scopes')
  const isUsual = stored['scopes'] == null && scopes.toSorted().join(' ') === DEFAULT_SCOPES.toSorted().join(' ')
  return {
    name: filled.text('name'),
    grantTypes: [...filled.all('grantTypes')],
    redirectUris: [...lines(filled.text('redirectUris'))],
    noExplicitConsentRequired: filled.has('noExplicitConsentRequired'),
    ...(isUsual ? {} : { scopes: [...scopes] }),
  }
}

/** The values of the fields for a stored consumer. */
export function shownOf(body: JsonObject): ShownValues {
  return {
    name: String(body['name']),
    grantTypes: textsOf(body['grantTypes']),
    redirectUris: textsOf(body['redirectUris']).join('\n'),
    scopes: body['scopes'] == null ? DEFAULT_SCOPES : textsOf(body['scopes']),
    noExplicitConsentRequired: body['noExplicitConsentRequired'] === true ? ['true'] : [],
  }
}

export function textsOf(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}
