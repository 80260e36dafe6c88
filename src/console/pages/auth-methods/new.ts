import { checkIssuer } from '../../../platform/access/delegated/provider/check-issuer.ts'
import { createDelegatedMethod } from '../../../platform/access/methods/methods.ts'
import { AUTHENTICATION_METHOD } from '../../../records/entities.ts'
import { newPage } from '../../declared/new-page.ts'
import { issuerCheck } from './issuer-check.ts'
import { METHOD_FIELDS } from './method-fields.ts'

/** `/auth-methods/new`: adds a trusted OpenID provider. If it cannot be reached, the method is not activated. */
export const NEW_AUTH_METHOD_PAGE = newPage({
  path: '/auth-methods/new',
  area: 'access',
  right: AUTHENTICATION_METHOD.rights.write,
  keepsWithin: false,
  title: 'New OpenID provider',
  crumb: { label: 'Authentication methods', href: '/auth-methods' },
  fields: METHOD_FIELDS,
  button: 'Create',
  look: {
    button: 'Look at the issuer',
    show: async ({ context }, { issuer }) => issuerCheck(await checkIssuer(context, issuer)),
  },
  async make({ context, noteAccessChange }, { name, ...configuration }) {
    const steps = await checkIssuer(context, configuration.issuer)
    const status = steps.every(({ remedy }) => remedy === null) ? 'ACTIVATED' : 'DEACTIVATED'
    const method = await createDelegatedMethod(context, { status, configuration, ...(name && { name }) })
    noteAccessChange('method created', { target: method.uuid })
    return { to: `/auth-methods/${method.uuid}` }
  },
})
