import { DEFAULT_SCOPES, SCOPES } from '../../../auth/scopes.ts'
import { newClientSecret } from '../../../platform/access/clients/client-secret.ts'
import { CLIENT_TYPE } from '../../../platform/access/clients/clients.ts'
import { createRecord } from '../../../platform/records/change-record.ts'
import type { Own } from '../../declared/form-field.ts'
import { recordForm } from '../../declared/declared-fields.ts'
import { newPage } from '../../declared/new-page.ts'

/** The scopes that allow something. Any other text is a valid scope too. */
export const SCOPE_CHOICES = Object.entries(SCOPES).map(([value, { allows }]) => ({
  value,
  label: value,
  hint: allows,
}))

export const CONSUMER_WORDS: Own = {
  slug: {},
  name: {},
  grantTypes: {},
  redirectUris: {},
  defaultRedirectUri: {},
  scopes: {
    hint: 'The application may do at most what the person may do. If you choose none, it may do nothing.',
    choices: SCOPE_CHOICES,
    notSet: DEFAULT_SCOPES,
  },
}

/** `/application-consumers/new` */
export const NEW_APPLICATION_CONSUMER_PAGE = newPage({
  path: '/application-consumers/new',
  area: 'access',
  right: 'access:admin',
  keepsWithin: false,
  title: 'New application',
  crumb: { label: 'Application consumers', href: '/application-consumers' },
  fields: recordForm(CLIENT_TYPE, 'create', { own: CONSUMER_WORDS }),
  values: { grantTypes: ['AUTHORIZATION_CODE'] },
  button: 'Create application',
  async make({ context, noteAccessChange }, input) {
    const secret = newClientSecret()
    const record = await createRecord(context, CLIENT_TYPE.name, { ...input, secret }, [])
    noteAccessChange('application consumer created', { target: record.uuid })
    return { to: `/application-consumers/${encodeURIComponent(record.key)}`, once: { secret } }
  },
})
