import { createRecord } from '../../../platform/records/change-record.ts'
import { typeThatSignsIn } from '../../../records/registry.ts'
import { html, type Html } from '../../../server/html.ts'
import { filledWith, withProblems, type Filled } from '../../form.ts'
import { declarePage, type View, type Visit } from '../../page.ts'
import { form, send, textField } from '../../parts/fields.ts'
import { fromGit } from '../../parts/from-git.ts'
import { orRefused } from '../../parts/refused.ts'
import { makeLink } from '../../people/password-link.ts'
import { userFields, userOf } from '../../people/user-form.ts'

const TYPE = typeThatSignsIn('person').name

/** `/users/new`: invites somebody, who sets a password by the link that is shown then. */
export const NEW_USER_PAGE = declarePage({
  path: '/users/new',
  area: 'people',
  right: 'access:admin',
  keepsWithin: false,
  show: (visit) => asked(visit, filledWith({})),
  receive: (visit, filled) =>
    orRefused(
      async () => {
        const input = { email: filled.text('email'), ...userOf(filled) }
        const user = await createRecord(visit.context, TYPE, input, [])
        visit.noteAccessChange('user created', { account: user.uuid })
        return makeLink(visit, user, `${user.key} is invited`)
      },
      (problem, details) => asked(visit, withProblems(filled, details), problem),
    ),
})

async function asked(visit: Visit, filled: Filled, problem: Html | null = null): Promise<View> {
  return {
    title: 'Invite somebody',
    crumbs: [{ label: 'Users', href: '/users' }],
    verdict: html`They set a password by a link that you send them. They have the roles of everybody, and those that you
    grant afterwards.`,
    body: html`${problem ?? (await fromGit(visit, TYPE))}
    ${form(
      visit.csrf,
      html`${textField(filled, { name: 'email', label: 'E-mail address', type: 'email', isRequired: true, isFirst: true })}
      ${userFields(filled)} ${send('Invite', '/users')}`,
    )}`,
  }
}
