import type { NewOpenIdDelegatedConfiguration } from '../../../../generated/entities.ts'
import { AUTHENTICATION_METHOD } from '../../../records/entities.ts'
import { entityFields } from '../../../records/entity.ts'
import { fieldsInOrder, givenAmong } from '../../../records/shape.ts'
import { formOf } from '../../declared/declared-fields.ts'
import type { Form } from '../../declared/form-field.ts'
import { SCOPE_CHOICES } from '../application-consumers/new.ts'

type Given = NewOpenIdDelegatedConfiguration & { readonly name?: string | null }

const NAME = entityFields(AUTHENTICATION_METHOD).flatMap((field) =>
  field.name === 'name' ? [{ ...field, required: false }] : [],
)

/** The fields of a trusted OpenID provider: its name and its configuration. */
export const METHOD_FIELDS: Form<Given> = formOf(
  [...NAME, ...givenAmong(fieldsInOrder('OpenIdDelegatedConfiguration'), 'create')],
  {
    own: {
      name: { hint: 'As the sign-in page shows it. Empty: the host of the issuer.' },
      issuer: { isCode: true, type: 'url' },
      clientId: { isCode: true },
      clientSecret: {
        hint: 'For people who sign in with a browser. It is kept sealed and never shown; empty, it stays as it is.',
      },
      emailDomains: { label: 'Domains of e-mail addresses that it vouches for' },
      matchesUsers: {},
      scopes: {
        hint: 'Where there are no rules; none chosen: nothing. Grants still decide what each person may do.',
        choices: SCOPE_CHOICES,
      },
    },
  },
)
