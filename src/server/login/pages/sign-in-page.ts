import { html, type Html } from '../../html.ts'
import type { Page } from '../page.ts'
import { csrfField } from '../csrf.ts'

export interface SignInForm {
  /** The target of the form: the page's own address. */
  readonly action: string
  readonly interaction: string
  readonly csrf: string
  /** The content of the first field. */
  readonly login: string
}

export interface ExternalChoice {
  readonly name: string
  readonly href: string
}

export interface SignIn {
  /** The name of the application from which the person comes, and to which the person returns. */
  readonly application: string
  readonly form: SignInForm
  /** Whether signing in with a password is possible here. */
  readonly hasPassword: boolean
  readonly external: readonly ExternalChoice[]
  readonly problem?: string | undefined
  /** Whether the typed login or password is wrong. */
  readonly isWrong?: boolean
}

export function signInPage({ application, form, hasPassword, external, problem, isWrong = false }: SignIn): Page {
  const none = !hasPassword && external.length === 0
  const body = html`<p class="soft">to go on to <strong>${application}</strong></p>
    ${none ? nothingActive() : null} ${hasPassword ? passwordForm(form, isWrong) : null}
    ${hasPassword && external.length > 0 ? html`<p class="or">or</p>` : null}
    ${external.map(({ name, href }) => html`<a class="button" href="${href}">Continue with ${name}</a>`)}
    ${cancelForm(form)}`
  return { title: 'Sign in', body, problem }
}

function passwordForm({ action, interaction, csrf, login }: SignInForm, isWrong: boolean): Html {
  const invalid = isWrong ? html`aria-invalid="true" aria-describedby="problem"` : null
  const autofocus = html`autofocus`
  return html`<form method="post" action="${action}">
    ${hiddenFields(interaction, csrf)}
    <label for="username">E-mail address or user name</label>
    <input
      id="username"
      name="username"
      type="text"
      value="${login}"
      required
      maxlength="320"
      autocomplete="username"
      autocapitalize="none"
      spellcheck="false"
      ${login === '' ? autofocus : null}
      ${invalid}
    />
    <label for="password">Password</label>
    <input
      id="password"
      name="password"
      type="password"
      required
      autocomplete="current-password"
      ${login === '' ? null : autofocus}
      ${invalid}
    />
    <button class="button main" name="decision" value="sign-in">Sign in</button>
    <p class="hint">Forgot your password? Ask an administrator for a new link.</p>
  </form>`
}

function cancelForm({ action, interaction, csrf }: SignInForm): Html {
  return html`<form method="post" action="${action}">
    ${hiddenFields(interaction, csrf)}
    <button class="button quiet" name="decision" value="deny">Cancel</button>
  </form>`
}

export function hiddenFields(interaction: string, csrf: string): Html {
  return html`<input type="hidden" name="interaction" value="${interaction}" /> ${csrfField(csrf)}`
}

function nothingActive(): Html {
  return html`<p>
    Nobody can sign in here at the moment: no way of signing in is activated. Ask the operator of this service.
  </p>`
}
