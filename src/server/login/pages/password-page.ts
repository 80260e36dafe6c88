import { html, type Html } from '../../html.ts'
import type { Page } from '../page.ts'
import { csrfField } from '../csrf.ts'

export interface NewPassword {
  /** The login of the account that gets the password. */
  readonly login: string
  readonly link: string
  readonly csrf: string
  readonly problem?: string | undefined
}

export function newPasswordPage({ login, link, csrf, problem }: NewPassword): Page {
  const body = html`<form method="post" action="/login/password">
    <input type="hidden" name="link" value="${link}" />
    ${csrfField(csrf)}
    <label for="username">Account</label>
    <input id="username" name="username" type="text" value="${login}" readonly autocomplete="username" />
    ${newPasswordField({ id: 'password', label: 'New password', isFirst: true, isWrong: problem !== undefined })}
    ${newPasswordField({ id: 'repeated', label: 'New password again', isFirst: false, isWrong: problem !== undefined })}
    <button class="button main">Save password</button>
  </form>`
  return { title: 'Choose a password', body, problem }
}

interface Field {
  readonly id: string
  readonly label: string
  readonly isFirst: boolean
  readonly isWrong: boolean
}

function newPasswordField({ id, label, isFirst, isWrong }: Field): Html {
  const described = [...(isFirst ? ['rules'] : []), ...(isWrong ? ['problem'] : [])].join(' ')
  return html`<label for="${id}">${label}</label>
    ${isFirst ? html`<p class="hint" id="rules">At least 12 characters. A few words in a row are good and easy to remember.</p>` : null}
    <input
      id="${id}"
      name="${id}"
      type="password"
      required
      autocomplete="new-password"
      ${isFirst ? html`autofocus` : null}
      ${described === '' ? null : html`aria-describedby="${described}"`}
      ${isWrong ? html`aria-invalid="true"` : null}
    />`
}

/**
 * Returns the page after a password was saved. `address` is the address of the platform, because an invited person has
 * never seen it.
 */
export function passwordSaved(address: string): Page {
  return {
    title: 'Password saved',
    body: html`<p>Sign in with it at <strong>${address}</strong>. Sessions from before have ended.</p>
      <a class="button main" href="/">Sign in</a>`,
  }
}

export const LINK_UNUSABLE: Page = {
  title: 'This link cannot be used any more',
  body: html`<p>Every link works once, for seven days, and a newer one replaces it.</p>
    <p>Ask the sender for a new one.</p>`,
}
