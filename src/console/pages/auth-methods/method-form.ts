import { SCOPES } from '../../../auth/scopes.ts'
import type { NewOpenIdDelegatedConfiguration } from '../../../../generated/entities.ts'
import type { DelegatedConfiguration } from '../../../auth/method-configuration.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import { html, type Html } from '../../../server/html.ts'
import { lines, type Filled } from '../../form.ts'
import type { ShownValues } from '../../shown-with.ts'
import { checkboxes, textField } from '../../parts/fields.ts'

const RULE = '[{"name": "staff", "claims": {"hd": "example.com"}, "scopes": ["openid", "service"]}]'

/** The fields of an OpenID provider that is trusted. */
export function methodFields(filled: Filled): Html {
  return html`${textField(filled, { name: 'name', label: 'Name', hint: 'As the sign-in page shows it. The host of the issuer where it is empty.' })}
  ${textField(filled, {
    name: 'issuer',
    label: 'Issuer',
    hint: 'Exactly as the tokens of the provider name it.',
    type: 'url',
    isCode: true,
    isRequired: true,
  })}
  ${textField(filled, {
    name: 'clientId',
    label: 'Client id',
    hint: 'What this platform is called there. Its tokens must be for it.',
    isCode: true,
    isRequired: true,
  })}
  ${textField(filled, {
    name: 'clientSecret',
    label: 'Client secret',
    hint: 'For people who sign in with a browser. It is kept sealed and never shown; empty, it stays as it is.',
    type: 'password',
    isCode: true,
  })}
  ${textField(filled, {
    name: 'emailDomains',
    label: 'Domains of e-mail addresses that it vouches for',
    hint: 'One in a line, only those that it gives out itself: a verified address there makes somebody the user of the model with that address. With none, addresses of all domains do, without administration.',
    isCode: true,
    rows: 2,
  })}
  ${checkboxes(
    filled,
    {
      name: 'scopes',
      label: 'What its tokens may do',
      hint: 'Where there are no rules; none chosen: nothing. Grants still decide what each person may do.',
    },
    Object.entries(SCOPES).map(([value, { allows }]) => ({ value, label: value, hint: allows })),
  )}
  ${textField(filled, {
    name: 'rules',
    label: 'Rules',
    hint: `Where there are any, a token must fit one. JSON, such as ${RULE}`,
    isCode: true,
    rows: 4,
  })}`
}

/** The configuration of a provider from a filled form, without an empty secret. */
export function configurationOf(filled: Filled): NewOpenIdDelegatedConfiguration {
  const secret = filled.exact('clientSecret')
  return {
    issuer: filled.text('issuer'),
    clientId: filled.text('clientId'),
    emailDomains: [...lines(filled.text('emailDomains'))],
    scopes: [...filled.all('scopes')],
    rules: rulesIn(filled.text('rules')),
    ...(secret !== '' && { clientSecret: secret }),
  }
}

function rulesIn(text: string): NonNullable<NewOpenIdDelegatedConfiguration['rules']> {
  if (text === '') return []
  try {
    const rules: unknown = JSON.parse(text)
    if (Array.isArray(rules)) return rules.map(ruleOf)
  } catch {
    // The parser's own message would not help.
  }
  throw wrongRules(`rules must be a JSON array, such as ${RULE}`)
}

type Rule = NonNullable<NewOpenIdDelegatedConfiguration['rules']>[number]

function ruleOf(rule: unknown): Rule {
  const field = (name: string): unknown =>
    typeof rule === 'object' && rule !== null ? Reflect.get(rule, name) : undefined
  const [name, claims, scopes, machineUser] = [field('name'), field('claims'), field('scopes'), field('machineUser')]
  if (typeof name !== 'string' || typeof claims !== 'object' || claims === null || !Array.isArray(scopes))
    throw wrongRules(`rules have a name, claims and scopes each, such as ${RULE}`)
  return {
    name,
    claims,
    scopes: scopes.map(String),
    ...(typeof machineUser === 'string' && { machineUser }),
  }
}

function wrongRules(message: string): HoldfastError {
  return new HoldfastError('BAD_USER_INPUT', message, { details: [message] })
}

/** The values of the fields for a stored method, without its secret. */
export function shownOf(
  name: string,
  { issuer, clientId, emailDomains, scopes, rules }: DelegatedConfiguration,
): ShownValues {
  return {
    name,
    issuer,
    clientId,
    emailDomains: emailDomains.join('\n'),
    scopes,
    rules: rules.length === 0 ? '' : JSON.stringify(rules, undefined, 2),
  }
}
