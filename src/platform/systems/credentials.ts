import { randomBytes } from 'node:crypto'
import { HoldfastError } from '../../lib/errors.ts'
import { SYSTEM_CREDENTIAL } from '../../records/entities.ts'
import { canonicalRecord } from '../../records/canonical.ts'
import { keyOf } from '../../records/identity.ts'
import { typeThatSignsIn } from '../../records/registry.ts'
import { Secret } from '../../records/secret.ts'
import { revokeAccount } from '../../store/access/artifacts.ts'
import { raiseAccessVersion, readDomain } from '../../store/domains.ts'
import { raiseModelVersion } from '../../store/model/model-versions.ts'
import { insertEntities } from '../../store/entities.ts'
import { insertPlatformRecord } from '../../store/access/platform-records.ts'
import {
  deleteCredential,
  fetchCredentials,
  fetchCredentialsOf,
  systemOfAccount,
  type StoredCredential,
} from '../../store/access/system-credentials.ts'
import { changeDomain } from '../change-domain.ts'
import type { DomainContext } from '../domain-context.ts'
import { findEntities } from './find-entities.ts'
import { EVERYWHERE } from './reach.ts'
import { requireSystemOf, requireSystems } from './entity-references.ts'

// A device signs in as a machine user that no document describes and that is bound to its system.

const MACHINE = typeThatSignsIn('machine')
const PASSWORD_BYTES = 32

export type SystemCredential = StoredCredential

export interface NewSystemCredential extends SystemCredential {
  /** The password is shown once and not stored. */
  readonly password: string
}

export async function createSystemCredential(context: DomainContext, systemUuid: string): Promise<NewSystemCredential> {
  const { domain } = context
  const password = randomBytes(PASSWORD_BYTES).toString('base64url')
  // Hashing is slow, so it is not done under the lock.
  const hash = await context.secrets.hashPassword(new Secret(password))
  const [uuid, createdAt] = [context.newId(), context.now()]
  const username = `device-${uuid}`
  const credential = { uuid, systemUuid, username, createdAt }
  await changeDomain(context, async (sql) => {
    await requireSystems(sql, domain.id, EVERYWHERE, [systemUuid])
    const { body } = canonicalRecord(MACHINE, { [MACHINE.identity[0]]: username }, () => undefined)
    const record = { uuid, type: MACHINE.name, key: keyOf(MACHINE, body), body, hash, createdAt }
    if (!(await insertPlatformRecord(sql, domain.id, record)))
      throw new HoldfastError('INTERNAL', 'a new user name is taken')
    const bound = await insertEntities(sql, domain.id, SYSTEM_CREDENTIAL, [credential])
    // An account without a system could change the data of all systems.
    if (bound.length !== 1) throw new HoldfastError('INTERNAL', 'a new credential is not bound to its system')
  })
  return { ...credential, password }
}

/** Deletes the account. Everything that was issued to it becomes invalid at once. */
export async function revokeSystemCredential(context: DomainContext, accountUuid: string): Promise<SystemCredential> {
  const { domain } = context
  return changeDomain(context, async (sql) => {
    const gone = await deleteCredential(sql, domain.id, accountUuid)
    if (gone === null) throw await whyNot(systemOfAccount(sql, domain.id, accountUuid), accountUuid)
    // This waits for flushes, so it comes before the locks that sign-outs wait for.
    await raiseModelVersion(sql, domain.id, 'systems')
    await revokeAccount(sql, domain.id, accountUuid)
    await raiseAccessVersion(sql, domain.id)
    return gone
  })
}

/** The reason why there is nothing to revoke. A machine user of the model stays bound, because it would gain rights. */
async function whyNot(system: Promise<string | null>, accountUuid: string): Promise<HoldfastError> {
  if ((await system) === null)
    return new HoldfastError('NOT_FOUND', `there is no credential of a system for the account ${accountUuid}`)
  const message = `the account ${accountUuid} is a machine user of the model now; delete it there, or set its status`
  return new HoldfastError('CONFLICT', message)
}

/** Finds the existing credentials among these, by their accounts. */
export function findSystemCredentials(
  context: DomainContext,
  uuids: readonly string[],
): Promise<readonly SystemCredential[]> {
  return findEntities(context, EVERYWHERE, SYSTEM_CREDENTIAL, uuids, fetchCredentialsOf)
}

export async function listSystemCredentials(
  { database, domain }: DomainContext,
  systemUuid: string,
): Promise<readonly SystemCredential[]> {
  return readDomain(database, domain.id, async (sql) => {
    await requireSystemOf(sql, domain.id, EVERYWHERE, systemUuid)
    return fetchCredentials(sql, domain.id, systemUuid)
  })
}
