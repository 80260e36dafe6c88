import type { Context } from 'hono'
import type { Right, Scope } from '../auth/scopes.ts'
import type { Actor } from '../platform/access/grants/actor.ts'
import type { DomainContext } from '../platform/domain-context.ts'
import type { AppEnv } from '../server/app-env.ts'
import type { NoteAccessChange } from '../server/access-log.ts'
import type { Html } from '../server/html.ts'
import type { Filled } from './form.ts'
import type { Platform } from '../server/platform.ts'
import type { AreaName } from './frame/areas.ts'

/**
 * A page of the console: its address, the right to see it, and its content. The check of the right, the frame and the
 * error pages follow from this declaration.
 */
export interface ConsolePage {
  readonly path: `/${string}`
  readonly area: AreaName
  readonly right: Right
  /** A second right that is also enough, for a page with parts for different rights. */
  readonly orRight?: Right
  /** Whether a role within an organization is enough, because the page shows only the person's organizations. */
  readonly keepsWithin: boolean
  show(visit: Visit): Promise<View>
  /** Handles the form of the page; left out if it has none. */
  readonly receive?: (visit: Visit, filled: Filled, files: Files) => Promise<View | Redirect>
  /** The right that the form of the page needs; left out if the right to see the page is enough. */
  readonly rightToChange?: Right
  /** The largest size of a form with files; left out if the form has no files. */
  readonly mostBytes?: number
}

/** Reads a file that was sent with a form; undefined if none was chosen. */
export type Files = (field: string) => UploadedFile | undefined

export interface UploadedFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** A request for a page, and its sender. */
export interface Visit {
  readonly request: Context<AppEnv>
  /** Restricted to the organizations within which the person has the right that the page needs. */
  readonly context: DomainContext
  readonly actor: Actor
  readonly caller: Actor
  /** The hash of the session's access token. */
  readonly tokenHash: Uint8Array
  readonly platform: Platform
  readonly url: URL
  /**
   * The address under which people and programs reach the domain. Behind a proxy it differs from the address in `url`.
   */
  readonly origin: string
  /** The token that the forms of this session carry. Only `csrfField` may write it into a page. */
  readonly csrf: string
  /** The IANA name of the time zone in which times are shown. */
  readonly zone: string
  readonly now: Date
  /** The texts that the previous form left for this one request; null if it left none. */
  readonly once: Told | null
  /** Issues a token for this person that has only this scope and lasts ten minutes; null if the session has ended. */
  issueToken(scope: Scope): Promise<string | null>
  /** Issues a token with all rights of the person that lasts two minutes; null if the session has ended. */
  issueOwnToken(): Promise<string | null>
  /** Logs a change of access: who may sign in, or what somebody may do. */
  readonly noteAccessChange: NoteAccessChange
  /** A variable part of the path. */
  param(name: string): string
}

/** The content of a page. Every part but title and body may be left out. */
export interface View {
  readonly title: string
  readonly crumbs?: readonly Crumb[]
  /** The first sentence below the heading, which tells the state. */
  readonly verdict?: Html
  /** The origin: file, commit, person, time. */
  readonly place?: readonly Html[]
  readonly actions?: readonly Html[]
  readonly tabs?: readonly Tab[]
  readonly body: Html
  /** Whether the page uses the whole width of the window. */
  readonly isWide?: boolean
  /** The address of a script that only this page needs. */
  readonly script?: string
  /** The address of a style sheet that only this page needs. */
  readonly style?: string
  /** Lets scripts of the page add style elements with this nonce (CSP). */
  readonly styleNonce?: string
  /** Default: 200. */
  readonly status?: number
}

export interface Crumb {
  readonly label: string
  readonly href: string
}

export interface Tab {
  readonly label: string
  readonly href: string
  readonly isCurrent: boolean
  readonly count?: number | undefined
}

/** The result of an executed form: the browser continues at another page. */
export interface Redirect {
  readonly to: string
  /** Texts that the next page shows once, such as a new secret. */
  readonly once?: Told
}

/** Texts for the next page, by name. */
export interface Told {
  readonly [name: string]: string
}

export function declarePage(page: ConsolePage): ConsolePage {
  return page
}
