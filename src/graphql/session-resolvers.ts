// What the schema asks of the platform about where somebody is signed in.

export interface SessionView {
  readonly uuid: string
  readonly startedAt: Date
  readonly lastUsedAt: Date
  readonly method: string | null
  readonly agent: string | null
  readonly network: string | null
  readonly isCurrent: boolean
}

export interface ConsentView {
  readonly application: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly since: Date
  readonly isOffline: boolean
}

/** `account`: the uuid of somebody else's, where an administrator asks; null: the caller's own. */
export interface SessionResolvers {
  listSessions(account: string | null): Promise<readonly SessionView[]>
  listConsents(account: string | null): Promise<readonly ConsentView[]>
  endSession(account: string | null, uuid: string): Promise<SessionView>
  endSessions(account: string | null, exceptCurrent: boolean): Promise<readonly SessionView[]>
  revokeConsent(account: string | null, application: string): Promise<ConsentView>
}
