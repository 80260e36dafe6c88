import { newClientSecret } from '../../../platform/access/clients/client-secret.ts'
import { CLIENT_TYPE } from '../../../platform/access/clients/clients.ts'
import { createRecord } from '../../../platform/records/change-record.ts'
import { html, type Html } from '../../../server/html.ts'
import { withProblems, type Filled } from '../../form.ts'
import { declarePage, type View, type Visit } from '../../page.ts'
import { form, send, textField } from '../../parts/fields.ts'
import { orRefused } from '../../parts/refused.ts'
import { consumerFields, consumerOf, USUAL } from './consumer-form.ts'

const CRUMBS = [{ label: 'Application consumers', href: '/application-consumers' }]

/** `/application-consumers/new` */
export const NEW_APPLICATION_CONSUMER_PAGE = declarePage({
  path: '/application-consumers/new',
  area: 'access',
  right: 'access:admin',
  keepsWithin: false,
  show: (visit) => Promise.resolve(asked(visit, USUAL)),
  receive: (visit, filled) =>
    orRefused(
      async () => {
        const secret = newClientSecret()
        const input = { slug: filled.text('slug'), ...consumerOf(filled), secret }
        const record = await createRecord(visit.context, CLIENT_TYPE.name, input, [])
        visit.noteAccessChange('application consumer created', { target: record.uuid })
        return { to: `/application-consumers/${encodeURIComponent(record.key)}`, once: { secret } }
      },
      (problem, details) => asked(visit, withProblems(filled, details), problem),
    ),
})

function asked({ csrf }: Visit, filled: Filled, problem: Html | null = null): View {
  return {
    title: 'New application',
    crumbs: CRUMBS,
    body: html`${problem}
    ${form(
      csrf,
      html`${textField(filled, {
        name: 'slug',
        label: 'Slug',
        hint: 'A short name for machines. The client_id begins with it, and it cannot change later.',
        isRequired: true,
        isCode: true,
        isFirst: true,
      })}
      ${consumerFields(filled)} ${send('Create application', '/application-consumers')}`,
    )}`,
  }
}
