import { HoldfastError } from '../../../lib/errors.ts'
import { quoted } from '../../../lib/quoted.ts'
import { readDomain } from '../../../store/domains.ts'
import { endConsent } from '../../../store/access/ended-artifacts.ts'
import { fetchConsents, type StoredConsent } from '../../../store/access/sessions.ts'
import { changeAccess } from '../../change-domain.ts'
import type { AccessContext } from '../access-context.ts'
import { findClient } from '../clients/clients.ts'

/** The scopes that an account allowed an application, by agreeing, or by signing in if no consent is asked. */
export interface Consent {
  /** The client_id. */
  readonly application: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly since: Date
  /** Whether the application can continue while the person is away, because it has a refresh token. */
  readonly isOffline: boolean
}

export async function listConsents(context: AccessContext, accountUuid: string): Promise<Consent[]> {
  const { database, domain, now } = context
  const stored = await readDomain(database, domain.id, (sql) => fetchConsents(sql, domain.id, accountUuid, now()))
  return Promise.all(stored.map((consent) => toConsent(context, consent)))
}

/** Revokes the consent of an account to an application, and every token issued by it. Returns the old consent. */
export async function revokeConsent(
  context: AccessContext,
  accountUuid: string,
  application: string,
): Promise<Consent> {
  const { domain, now } = context
  const ended = await changeAccess(context, async (sql) => {
    const consents = await fetchConsents(sql, domain.id, accountUuid, now())
    await endConsent(sql, domain.id, accountUuid, application)
    return consents.find(({ clientId }) => clientId === application)
  })
  if (ended === undefined)
    throw new HoldfastError('NOT_FOUND', `there is no consent for an application ${quoted(application)}`)
  return toConsent(context, ended)
}

async function toConsent(
  context: AccessContext,
  { clientId, scopes, since, isOffline }: StoredConsent,
): Promise<Consent> {
  const client = await findClient(context, clientId)
  const all = new Set(scopes.flatMap((list) => list.split(' ').filter((scope) => scope !== '')))
  return { application: clientId, name: client?.name ?? clientId, scopes: [...all].toSorted(), since, isOffline }
}
