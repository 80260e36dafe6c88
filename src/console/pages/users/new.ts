import { createRecord } from '../../../platform/records/change-record.ts'
import { typeThatSignsIn } from '../../../records/registry.ts'
import { html } from '../../../server/html.ts'
import { recordForm } from '../../declared/declared-fields.ts'
import { newPage } from '../../declared/new-page.ts'
import { fromGit } from '../../parts/from-git.ts'
import { makeLink } from './password-link.ts'

const TYPE = typeThatSignsIn('person')

/** `/users/new`: invites a user. The next page shows a link by which the user sets a password. */
export const NEW_USER_PAGE = newPage({
  path: '/users/new',
  area: 'people',
  right: 'access:admin',
  keepsWithin: false,
  title: 'Invite somebody',
  verdict: html`They set a password by a link that you send them. They have the roles of everybody, and those that you
  grant afterwards.`,
  crumb: { label: 'Users', href: '/users' },
  fields: recordForm(TYPE, 'create', { own: { email: { label: 'E-mail address', type: 'email', isCode: false } } }),
  button: 'Invite',
  before: (visit) => fromGit(visit, TYPE.name),
  async make(visit, input) {
    const user = await createRecord(visit.context, TYPE.name, input, [])
    visit.noteAccessChange('user created', { account: user.uuid })
    return makeLink(visit, user, `${user.key} is invited`)
  },
})
