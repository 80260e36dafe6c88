import { checkIssuer, type IssuerStep } from '../../../platform/access/delegated/provider/check-issuer.ts'
import { createDelegatedMethod } from '../../../platform/access/methods/methods.ts'
import { html, type Html } from '../../../server/html.ts'
import { newlyFilled, readFields, showFields } from '../../declared/form.ts'
import { withProblems, type Filled } from '../../form.ts'
import { declarePage, type View, type Visit } from '../../page.ts'
import { form } from '../../parts/fields.ts'
import { orRefused } from '../../parts/refused.ts'
import { issuerCheck } from './issuer-check.ts'
import { METHOD_FIELDS } from './method-fields.ts'

/**
 * `/auth-methods/new`: trusts another OpenID provider. It is looked at first; while it cannot be reached, the method can be
 * made, and is not activated.
 */
export const NEW_AUTH_METHOD_PAGE = declarePage({
  path: '/auth-methods/new',
  area: 'access',
  right: 'access:admin',
  keepsWithin: false,
  show: (visit) => Promise.resolve(asked(visit, newlyFilled(METHOD_FIELDS))),
  receive: (visit, filled) =>
    orRefused(
      async () => {
        const { name, ...configuration } = readFields(METHOD_FIELDS, filled, null)
        const steps = await checkIssuer(visit.context, configuration.issuer)
        if (filled.text('act') !== 'create') return asked(visit, filled, null, steps)
        const status = steps.every(({ remedy }) => remedy === null) ? 'ACTIVATED' : 'DEACTIVATED'
        const method = await createDelegatedMethod(visit.context, { status, configuration, ...(name && { name }) })
        visit.noteAccessChange('method created', { target: method.uuid })
        return { to: `/auth-methods/${method.uuid}` }
      },
      (problem, details) => asked(visit, withProblems(filled, details), problem),
    ),
})

function asked(
  { csrf }: Visit,
  filled: Filled,
  problem: Html | null = null,
  steps: readonly IssuerStep[] | null = null,
): View {
  return {
    title: 'New OpenID provider',
    crumbs: [{ label: 'Authentication methods', href: '/auth-methods' }],
    body: html`${problem}
      <div class="beside">
        ${form(
          csrf,
          html`${showFields(METHOD_FIELDS, filled)}
            <p class="sends">
              <button class="button main" name="act" value="create">Create</button>
              <button class="button" name="act" value="check">Look at the issuer</button>
              <a class="button" href="/auth-methods">Cancel</a>
            </p>`,
        )}
        <div class="blocks">${issuerCheck(steps)}</div>
      </div>`,
  }
}
