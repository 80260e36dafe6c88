import { seeOther } from '../see-other.ts'
import { getCookie } from 'hono/cookie'
import type Provider from 'oidc-provider'
import type { InteractionResults } from 'oidc-provider'
import type { AccessContext } from '../../platform/access/access-context.ts'
import type { Account } from '../../platform/access/accounts/account.ts'
import { findClient } from '../../platform/access/clients/clients.ts'
import { carry, type Proof } from './proof.ts'
import { browserCookieName, csrfToken, isBound, isBrowser, isInteractionId } from './binding.ts'
import { loginUrl } from './interaction-url.ts'
import type { Interaction } from './interaction.ts'
import type { LoginPorts, RequestContext } from './login-ports.ts'
import { pageResponse } from './page.ts'
import { problemPage } from './pages/problem-page.ts'
import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from '../app-env.ts'

/** A sign-in or consent that this browser began and that is still open. */
export interface OpenInteraction {
  readonly access: AccessContext
  readonly provider: Provider
  readonly interaction: Interaction
  /** The address of the interaction's page. */
  readonly url: string
  /** The token in the forms of the page. */
  readonly csrf: string
}

/** Opens an interaction; null if it has expired or another browser began it. The answer is the same for both. */
export async function openInteraction(
  ports: LoginPorts,
  request: RequestContext,
  id: string | undefined,
): Promise<OpenInteraction | null> {
  if (id === undefined || !isInteractionId(id)) return null
  const access = ports.access(request)
  const provider = await ports.provider(request)
  const browser = getCookie(request, browserCookieName(isSecure(provider)))
  if (!isBrowser(browser)) return null
  const interaction = await provider.Interaction.find(id)
  if (interaction === undefined || !isBound(access, interaction.cid, browser)) return null
  return { access, provider, interaction, url: loginUrl(interaction), csrf: csrfToken(access, id, browser) }
}

/**
 * Tells whether the interaction is open for another cookie than the one of this browser. That happens if a new browser
 * opens several tabs at once: each answer sets a cookie, and the last one remains.
 */
export async function isOpenElsewhere(ports: LoginPorts, request: RequestContext, id: string): Promise<boolean> {
  const provider = await ports.provider(request)
  if (!isInteractionId(id) || !isBrowser(getCookie(request, browserCookieName(isSecure(provider))))) return false
  return (await provider.Interaction.find(id)) !== undefined
}

export function isSecure({ issuer }: Provider): boolean {
  return issuer.startsWith('https:')
}

/** Ends the interaction with this result. The browser returns to the authorization endpoint, which continues. */
export async function endInteraction({ interaction }: OpenInteraction, result: InteractionResults): Promise<Response> {
  interaction.result = { ...interaction.lastSubmission, ...result }
  await interaction.persist()
  return seeOther(interaction.returnTo)
}

/** Completes a sign-in. If the proof becomes invalid later, everything that this sign-in produced ends, too. */
export function endSignIn(open: OpenInteraction, { uuid }: Pick<Account, 'uuid'>, proof: Proof): Promise<Response> {
  return endInteraction(open, { login: { accountId: uuid, ...carry(proof) } })
}

/** The name of the application for the person. */
export async function applicationName({ access, interaction }: OpenInteraction): Promise<string> {
  const clientId = String(interaction.params['client_id'])
  return (await findClient(access, clientId))?.name ?? clientId
}

/**
 * Returns the page for an interaction that has expired. If the address still has the application's request, the page
 * has a link to start again. Otherwise it has a link to the console.
 */
export function notOpen(query: URLSearchParams): Response {
  const isKnown = query.has('client_id')
  const link = isKnown ? { href: beginAgain(query), text: 'Start again' } : { href: '/', text: 'Go to the first page' }
  const lines = [
    'It took longer than ten minutes, it is done already, or it began in another browser. This browser must also accept cookies.',
    ...(isKnown ? [] : ['If you came from an application, go back to it and sign in there again.']),
  ]
  return pageResponse(problemPage({ title: 'This sign-in has expired', lines, link }), 400)
}

/** Returns the address of the authorization request from which the query of a page comes. */
export function beginAgain(query: URLSearchParams): string {
  const again = new URLSearchParams(query)
  for (const ours of ['interaction', 'problem']) again.delete(ours)
  return `/authenticate?${again.toString()}`
}

/** Returns the page for a person who opens the address by hand or from a bookmark. */
export function nothingBegun(): Response {
  const lines = [
    'This page belongs to applications, which bring you here.',
    'Go to the one that you want to use, and sign in there.',
  ]
  return pageResponse(problemPage({ title: 'Nothing to sign in to', lines }), 400)
}

/**
 * Lets only the browser that began an interaction continue it. oidc-provider checks its own cookie, but that one
 * belongs to a path, so another host of the same site could set it. A victim could then be made to continue as someone
 * else.
 */
export function sameBrowser(ports: LoginPorts): MiddlewareHandler<AppEnv> {
  return async (request, next) => {
    if ((await openInteraction(ports, request, request.req.param('interaction'))) === null)
      return notOpen(new URLSearchParams())
    return next()
  }
}
