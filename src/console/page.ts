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
 * A page of the console, declared once: where it is, what somebody must be allowed in order to see it, and what it shows.
 * The check of the right, the frame, and pages for failures follow from it.
 */
export interface ConsolePage {
  readonly path: `/${string}`
  readonly area: AreaName
  readonly right: Right
  /** A right that is enough as well, for a page with parts that need the one or the other. */
  readonly orRight?: Right
  /** Whether a role within an organization is enough, because the page shows nothing outside of it. */
  readonly keepsWithin: boolean
  show(visit: Visit): Promise<View>
  /** Handles the form of the page; left out if it has none. */
  readonly receive?: (visit: Visit, filled: Filled, files: Files) => Promise<View | Redirect>
  /** The right that its form needs; left out if that is the right to see the page. */
  readonly rightToChange?: Right
  /** How large a form with files may be; left out if the form of the page has none. */
  readonly mostBytes?: number
}

/** The content of a file that was sent with a form; undefined if none was chosen. */
export type Files = (field: string) => UploadedFile | undefined

export interface UploadedFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** One look at a page, and who looks. */
export interface Visit {
  readonly request: Context<AppEnv>
  /** Bound to the organizations within which the person has the right that the page needs. */
  readonly context: DomainContext
  readonly actor: Actor
  readonly caller: Actor
  /** The hash of the session's access token. */
  readonly tokenHash: Uint8Array
  readonly platform: Platform
  readonly url: URL
  /** Where people and programs reach the domain; behind a proxy that is another address than that of `url`. */
  readonly origin: string
  /** The token that the forms of this session carry. */
  readonly csrf: string
  /** The IANA name of the time zone in which times are shown. */
  readonly zone: string
  readonly now: Date
  /** The texts that the previous form left for this one request; null if it left none. */
  readonly once: Told | null
  /** A token for this person with nothing but this scope, for ten minutes; null if the session has ended. */
  issueToken(scope: Scope): Promise<string | null>
  /** Leaves a line in the log, for what changes who may sign in or who may do what. */
  readonly noteAccessChange: NoteAccessChange
  /** A variable part of the path. */
  param(name: string): string
}

/** The content of a page. Every part but title and body may be left out. */
export interface View {
  readonly title: string
  readonly crumbs?: readonly Crumb[]
  /** The first sentence below the heading: what is the case. */
  readonly verdict?: Html
  /** Where it comes from: file, commit, person, time. */
  readonly place?: readonly Html[]
  readonly actions?: readonly Html[]
  readonly tabs?: readonly Tab[]
  readonly body: Html
  /** Whether the page uses the whole width of the window. */
  readonly isWide?: boolean
  /** The address of a script that only this page needs. */
  readonly script?: string
  /** 200 where it is left out. */
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

/** A form was carried out, and the browser goes on to another page. */
export interface Redirect {
  readonly to: string
  /** Texts that the next page shows once, such as a new secret. */
  readonly once?: Told
}

/** Texts by names that the page gives them. */
export interface Told {
  readonly [name: string]: string
}

export function declarePage(page: ConsolePage): ConsolePage {
  return page
}
