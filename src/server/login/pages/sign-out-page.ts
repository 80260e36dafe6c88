import { raw } from 'hono/html'
import { html } from '../../html.ts'
import type { Page } from '../page.ts'

/**
 * Returns the page for signing out. `form` comes from oidc-provider, has the id `op.logoutForm`, and is protected
 * against CSRF. If it is sent without `logout`, the person signs out only of the application that asked.
 */
export function signOutPage(form: string, application: string | undefined): Page {
  const body = html`<p>The next time an application sends you here, you will have to sign in again.</p>
    ${raw(form)}
    <button class="button main" form="op.logoutForm" name="logout" value="yes">Sign out</button>
    ${
      application === undefined
        ? html`<a class="button" href="/">Stay signed in</a>`
        : html`<button class="button" form="op.logoutForm">Sign out of ${application} only</button>`
    }`
  return { title: 'Sign out?', body }
}

/** Returns the page after signing out. `application` is set if the person has signed out of this application only. */
export function signedOutPage(application: string | undefined): Page {
  const title = application === undefined ? 'You are signed out' : `You are signed out of ${application}`
  return {
    title,
    body:
      application === undefined
        ? html`<p>You may close this page.</p>
            <a class="button main" href="/">Sign in</a>`
        : html`<p>You are still signed in here. You may close this page.</p>
            <a class="button main" href="/">Open the console</a>`,
  }
}
