import type { Context, Hono } from 'hono'
import type Provider from 'oidc-provider'
import type { AccessContext } from '../platform/access/access-context.ts'
import type { AppEnv } from './app-env.ts'
import type { Authenticate } from './authenticate.ts'
import type { Streams } from './graphql/subscriptions/subscriptions.ts'
import type { HeldBodies } from './requests/held-bytes.ts'
import type { RequestState } from './oidc/request-state.ts'
import type { Logger } from './logger.ts'
import type { Platform } from './platform.ts'

/** The parts of the server that pages for people use. */
export interface PageServices {
  readonly platform: () => Platform
  readonly logger: Logger
  readonly authenticate: Authenticate
  access(request: Context<AppEnv>): AccessContext
  /** The public address of the request's domain. */
  issuer(request: Context<AppEnv>): string
  /** The OpenID provider of the request's domain. */
  provider(request: Context<AppEnv>): Promise<Provider>
  /** The request bodies that are arriving or being processed. */
  readonly held: HeldBodies
  /** Opens streams of changes that the connection of this request answers. */
  streams(request: Context<AppEnv>): Promise<Streams>
  /** The data about a request that the provider needs. */
  requestState(request: Context<AppEnv>): RequestState
}

/** Returns the page for an unknown address; null if the request does not come from a person. */
export type MissingPage = (request: Context<AppEnv>) => Promise<Response | null>

/** Adds the pages of a user interface to an app: `addConsole` of src/console. */
export type AddPages = (app: Hono<AppEnv>, services: PageServices) => MissingPage
