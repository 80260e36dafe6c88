import { ruleDigest, type Claims } from '../../../../auth/token-rules.ts'
import type { Sql } from '../../../../db/sql.ts'
import { beginningOfSubjects } from '../../../../records/types/grant.ts'
import { revokeSignIns } from '../../../../store/access/ended-identities.ts'
import {
  fetchIdentity,
  lockIdentity,
  saveBrowserSignIn,
  type BrowserSignIn,
  type ExternalIdentity,
} from '../../../../store/access/external-identities.ts'
import { readDomain, writeAccess } from '../../../../store/domains.ts'
import type { AccessContext } from '../../access-context.ts'
import type { DelegatedMethod } from '../../methods/method.ts'
import { letIn, type Admission } from './admit-by-rules.ts'

/** The person who signs in. */
interface ComesIn {
  /** The uuid of the identity. */
  readonly identity: string
  readonly isVouched: boolean
  readonly admission: Admission
}

/**
 * Records each sign-in in a browser: the rule that let the identity in, and the grants that it fits. If another rule
 * let it in last time, everything issued under that rule ends. Returns the rule (`letIn`).
 */
export async function keepSignIn(
  { database, domain }: AccessContext,
  method: DelegatedMethod,
  who: ComesIn,
  claims: Claims,
): Promise<string> {
  return writeAccess(database, domain.id, async (sql) => {
    const { rule, fits } = await letIn(sql, domain.id, method, claims, who)
    await keep(sql, domain.id, method, who.identity, { rule, fits })
    return rule
  })
}

/** Ends everything that was issued under a rule to an identity that no longer fits any rule. */
export async function endSignIns(
  { database, domain }: AccessContext,
  method: DelegatedMethod,
  { issuer, subject }: ExternalIdentity,
): Promise<void> {
  const known = await readDomain(database, domain.id, (sql) => fetchIdentity(sql, domain.id, { issuer, subject }))
  if (known === null) return
  await writeAccess(database, domain.id, (sql) => keep(sql, domain.id, method, known.uuid, { rule: null, fits: [] }))
}

async function keep(
  sql: Sql,
  domainId: number,
  { uuid: methodUuid, configuration }: DelegatedMethod,
  identity: string,
  { rule, fits }: Pick<BrowserSignIn, 'rule' | 'fits'>,
): Promise<void> {
  const known = await lockIdentity(sql, domainId, identity)
  // If the identity has ended at the same moment, everything issued to it is invalid anyway.
  if (known === null) return
  const beginning = beginningOfSubjects(configuration)
  await saveBrowserSignIn(sql, domainId, identity, { methodUuid, rule, fits, beginning })
  const last = known.rules[methodUuid] ?? ruleDigest(null)
  if (last === rule || known.accountUuid === null) return
  await revokeSignIns(sql, domainId, { accountUuid: known.accountUuid, methodUuid })
}
