import type { SignInServer } from '../../server/oidc/sign-in-server.ts'
import type { TestServer } from '../../server/test-server.ts'
import type { AnySite } from '../../support/any-site.ts'
import type { Company } from '../../support/company.ts'

/** What the statements are tried on: a server, a device on it, and a server that people and applications sign in to. */
export interface World {
  readonly server: TestServer
  readonly site: AnySite
  readonly signIn: SignInServer
  /** A provider of OpenID tokens, which the second server may ask. */
  readonly company: Company
}

/** Sends something, and gives what came back. */
export type Sent = (world: World) => Promise<unknown>

/** One sentence of the specification, in a few words, and how it is tried. */
export interface Statement {
  /** Number and title. */
  readonly section: string
  readonly says: string
  readonly sent: Sent
  /** What comes; an object may have more than is said here. */
  readonly comes: unknown
  /** Why something else comes than the specification says. Left out: the sentence holds. */
  readonly deviates?: string
}

export function statement(section: string, says: string, sent: Sent, comes: unknown, deviates?: string): Statement {
  return { section, says, sent, comes, ...(deviates !== undefined && { deviates }) }
}

/** The statements of one section. */
export function section(
  title: string,
  ...rows: readonly (readonly [says: string, sent: Sent, comes: unknown, deviates?: string])[]
): Statement[] {
  return rows.map((row) => statement(title, ...row))
}
