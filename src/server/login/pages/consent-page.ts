import { isScope, SCOPES } from '../../../auth/scopes.ts'
import { html } from '../../html.ts'
import type { Page } from '../page.ts'
import { hiddenFields } from './sign-in-page.ts'

export interface Consent {
  readonly application: string
  /** The login of the account that is signed in. */
  readonly login: string
  /** The scopes that the application asks for. */
  readonly scopes: readonly string[]
  readonly action: string
  readonly interaction: string
  readonly csrf: string
}

export function consentPage({ application, login, scopes, action, interaction, csrf }: Consent): Page {
  const body = html`<p class="soft">You are signed in as <strong>${login}</strong>.</p>
    <h2>${application} wants to</h2>
    <ul>
      ${scopes.map((scope) => html`<li>${meaningOf(scope)}</li>`)}
    </ul>
    <form method="post" action="${action}">
      ${hiddenFields(interaction, csrf)}
      <button class="button main" name="decision" value="allow">Allow</button>
      <button class="button" name="decision" value="deny">Deny</button>
    </form>`
  return { title: `Allow ${application}?`, body }
}

function meaningOf(scope: string): string {
  return isScope(scope) ? SCOPES[scope].allows : scope
}
