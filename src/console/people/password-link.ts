import { createPasswordLink } from '../../platform/access/accounts/password-links.ts'
import { authorityOf } from '../../platform/access/grants/authority.ts'
import type { StoredRecord } from '../../store/model/records.ts'
import { html } from '../../server/html.ts'
import type { View, Visit } from '../page.ts'
import { code } from '../parts/block.ts'
import { date } from '../parts/time.ts'

/** A link by which somebody sets a password, shown once: for an invitation or a reset. */
export async function linkView(visit: Visit, user: StoredRecord, title: string): Promise<View> {
  const { context, actor, origin, now, zone } = visit
  const { token, expiresAt } = await createPasswordLink(context, user.key, context.actorName, authorityOf(actor))
  visit.noteAccessChange('password link created', { account: user.uuid })
  return {
    title,
    crumbs: [{ label: 'Users', href: '/users' }],
    status: 201,
    verdict: html`Whoever opens it sets the password of this user, once, until ${date(expiresAt, now, zone)}. It voids
    the links before it, and is shown this once.`,
    body: html`${code('link', `${origin}/login/password?link=${token}`)}
      <p class="after soft">
        The platform sends no mail: pass the link on by a way that only this person reads. Afterwards they sign in at
        <strong>${origin}</strong>.
      </p>
      <p class="after"><a class="button main" href="/users/${encodeURIComponent(user.key)}">Done</a></p>`,
  }
}
