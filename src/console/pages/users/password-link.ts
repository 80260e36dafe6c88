import { createPasswordLink } from '../../../platform/access/accounts/password-links.ts'
import { authorityOf } from '../../../platform/access/grants/authority.ts'
import type { StoredRecord } from '../../../store/model/records.ts'
import { html } from '../../../server/html.ts'
import type { Redirect, Told, View, Visit } from '../../page.ts'
import { code } from '../../parts/block.ts'
import { date } from '../../parts/time.ts'

/** Creates a link to set a password, for an invitation or a reset. The page of the user shows the link once. */
export async function makeLink(
  { context, actor, noteAccessChange }: Visit,
  user: StoredRecord,
  title: string,
): Promise<Redirect> {
  const { token, expiresAt } = await createPasswordLink(context, user.key, context.actorName, authorityOf(actor))
  noteAccessChange('password link created', { account: user.uuid })
  return { to: `/users/${encodeURIComponent(user.key)}`, once: { title, token, expiresAt: expiresAt.toISOString() } }
}

export function linkView({ origin, now, zone }: Visit, user: StoredRecord, told: Told): View {
  const { title = '', token = '', expiresAt = '' } = told
  return {
    title,
    crumbs: [{ label: 'Users', href: '/users' }],
    verdict: html`Anybody with this link can set the password of this user, once, until
    ${date(new Date(expiresAt), now, zone)}. Earlier links stop working. The link is shown only now.`,
    body: html`${code('link', `${origin}/login/password?link=${token}`)}
      <p class="after soft">
        The platform sends no mail: pass the link on by a way that only this person reads. Afterwards they sign in at
        <strong>${origin}</strong>.
      </p>
      <p class="after"><a class="button main" href="/users/${encodeURIComponent(user.key)}">Done</a></p>`,
  }
}
