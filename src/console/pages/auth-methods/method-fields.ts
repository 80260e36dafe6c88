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
      name: { hint: 'The sign-in page shows this name. If it is empty, it shows the host of the issuer.' },
      issuer: { isCode: true, type: 'url' },
      clientId: { isCode: true },
      clientSecret: {
        hint: 'For people who sign in with a browser. It is stored encrypted and never shown. If you leave it empty, it stays as it is.',
      },
      emailDomains: { label: 'Domains of e-mail addresses for which it is trusted' },
      matchesUsers: {},
      scopes: {
        hint: 'These scopes count if there are no rules; if you choose none, nothing is allowed. Grants still decide what each person may do.',
        choices: SCOPE_CHOICES,
      },
    },
  },
)
