import type { NewOpenIdDelegatedConfiguration } from '../../../../generated/entities.ts'
import { completeConfiguration } from '../../../auth/method-configuration.ts'
import type { FederationRule } from '../../../auth/token-rules.ts'
import type { Sql } from '../../../db/sql.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import { canonicalText } from '../../../lib/json.ts'
import {
  deleteStoredMethod,
  fetchMethod,
  fetchMethods,
  fetchSealedSecret,
  insertMethod,
  lockMethod,
  revokeMethods,
  saveSealedSecret,
  updateStoredMethod,
} from '../../../store/access/authentication-methods.ts'
import { raiseAccessVersion, readDomain, writeAccess } from '../../../store/domains.ts'
import { changeAccess } from '../../change-domain.ts'
import type { AccessContext } from '../access-context.ts'
import { checkMethod, refuseTwin } from './method-checks.ts'
import { isForPeople, termsOf, toMethod, type AuthenticationMethod, type DelegatedMethod } from './method.ts'
import { patchMethod, type MethodPatch } from './method-patch.ts'
import type { Status } from '../accounts/status.ts'

export type { AuthenticationMethod, DelegatedMethod } from './method.ts'

/** Lists the internal method first, then the others in the order of their creation. */
export async function listMethods(context: AccessContext): Promise<AuthenticationMethod[]> {
  const { database, domain } = context
  const read = () => readDomain(database, domain.id, (sql) => fetchMethods(sql, domain.id))
  const methods = await read()
  if (methods.some(({ kind }) => kind === 'internal')) return methods.map(toMethod)
  await makeInternalMethod(context)
  return (await read()).map(toMethod)
}

/** Lists the methods by which a person can sign in in a browser. */
export async function listLoginMethods(context: AccessContext): Promise<AuthenticationMethod[]> {
  const methods = await listMethods(context)
  return methods.filter((method) => method.status === 'ACTIVATED' && isForPeople(method))
}

async function makeInternalMethod({ database, domain, now, newId }: AccessContext): Promise<void> {
  const method = {
    uuid: newId(),
    kind: 'internal',
    name: 'User name and password',
    status: 'ACTIVATED',
    configuration: {},
    clientSecret: null,
  } as const
  await writeAccess(database, domain.id, (sql) => insertMethod(sql, domain.id, method, now()))
}

export async function findMethod(
  { database, domain }: AccessContext,
  uuid: string,
): Promise<AuthenticationMethod | null> {
  const method = await readDomain(database, domain.id, (sql) => fetchMethod(sql, domain.id, uuid))
  return method === null ? null : toMethod(method)
}

export interface NewDelegatedMethod {
  readonly status: Status
  /** If this is left out, the name of the method is the host of the issuer. */
  readonly name?: string | null
  /** A `clientSecret` that is null or empty makes this platform a public client at the other provider. */
  readonly configuration: Readonly<NewOpenIdDelegatedConfiguration>
}

export async function createDelegatedMethod(
  context: AccessContext,
  { status, name, configuration: { clientSecret = null, ...input } }: NewDelegatedMethod,
): Promise<DelegatedMethod> {
  const method: DelegatedMethod = {
    kind: 'openid-delegated',
    uuid: context.newId(),
    name: name ?? hostOf(input.issuer),
    status,
    configuration: completeConfiguration(input),
    hasClientSecret: Boolean(clientSecret),
    sharesCallback: false,
  }
  checkMethod(context, method)
  await changeAccess(context, async (sql) => {
    await refuseTwin(sql, context, method)
    const stored = { ...method, configuration: termsOf(method), clientSecret: seal(context, method.uuid, clientSecret) }
    await insertMethod(sql, context.domain.id, stored, context.now())
    await revokeMethods(sql, context.domain.id, await coveredBy(sql, context, method, null))
  })
  return method
}

/**
 * The uuids of the methods without `emailDomains`, if a method names new domains. Users with such addresses may no
 * longer sign in by these methods, so everything issued to them by these methods ends.
 */
async function coveredBy(
  sql: Sql,
  { domain }: AccessContext,
  method: AuthenticationMethod,
  before: AuthenticationMethod | null,
): Promise<readonly string[]> {
  const covered = new Set(domainsOf(before))
  if (domainsOf(method).every((name) => covered.has(name))) return []
  const methods = (await fetchMethods(sql, domain.id)).map(toMethod)
  return methods.filter(matchesByAddressAlone).map(({ uuid }) => uuid)
}

function matchesByAddressAlone(method: AuthenticationMethod): boolean {
  if (method.kind === 'internal') return false
  return isForPeople(method) && method.configuration.matchesUsers && domainsOf(method).length === 0
}

function domainsOf(method: AuthenticationMethod | null): readonly string[] {
  return method?.kind === 'openid-delegated' ? method.configuration.emailDomains : []
}

function hostOf(issuer: string): string {
  return URL.canParse(issuer) ? new URL(issuer).host : issuer
}

/** Changes a method. Another configuration ends all issued under the old one; another status ends nothing. */
export async function updateMethod(
  context: AccessContext,
  uuid: string,
  patch: MethodPatch,
  check?: (before: AuthenticationMethod) => void,
): Promise<AuthenticationMethod> {
  const { domain, now } = context
  return changeAccess(context, async (sql) => {
    const stored = await lockMethod(sql, domain.id, uuid)
    if (stored === null) throw unknownMethod(uuid)
    const before = toMethod(stored)
    check?.(before)
    const { method, clientSecret } = patchMethod(before, patch)
    checkMethod(context, method)
    if (method.kind === 'openid-delegated') await refuseTwin(sql, context, method)
    await updateStoredMethod(sql, domain.id, { ...method, configuration: termsOf(method) }, now())
    if (clientSecret !== undefined) await saveSealedSecret(sql, domain.id, uuid, seal(context, uuid, clientSecret))
    const isChanged = canonicalText(termsOf(before)) !== canonicalText(termsOf(method))
    const covered = await coveredBy(sql, context, method, before)
    await revokeMethods(sql, domain.id, [...(isChanged ? [uuid] : []), ...covered])
    await raiseAccessVersion(sql, domain.id)
    return method
  })
}

/** Refuses a change if the method no longer has these rules. */
export function requireRules(method: AuthenticationMethod, rules: readonly FederationRule[]): void {
  const present = method.kind === 'internal' ? [] : method.configuration.rules
  if (canonicalText(present.map(plainRule)) !== canonicalText(rules.map(plainRule)))
    throw new HoldfastError('CONFLICT', 'the method has other rules now, and nothing was changed; read them again')
}

function plainRule({ name, claims, machineUser, scopes }: FederationRule) {
  return { name, claims, machineUser, scopes }
}

/** Deletes a method and ends everything issued by it. The accounts that signed in by it stay. */
export async function deleteMethod(context: AccessContext, uuid: string): Promise<AuthenticationMethod> {
  const { domain } = context
  return changeAccess(context, async (sql) => {
    const method = await lockMethod(sql, domain.id, uuid)
    if (method === null) throw unknownMethod(uuid)
    if (method.kind === 'internal') {
      const message = 'the internal method cannot be deleted; to close it, set its status to DEACTIVATED'
      throw new HoldfastError('BAD_USER_INPUT', message)
    }
    await deleteStoredMethod(sql, domain.id, uuid)
    await revokeMethods(sql, domain.id, [uuid])
    await raiseAccessVersion(sql, domain.id)
    return toMethod(method)
  })
}

/** The secret of this platform at the other provider; null if it is a public client. */
export async function methodClientSecret(
  { database, domain, key }: AccessContext,
  uuid: string,
): Promise<string | null> {
  const secret = await readDomain(database, domain.id, (sql) => fetchSealedSecret(sql, domain.id, uuid))
  return secret === null ? null : key.unseal(secret, secretContext(domain.uuid, uuid))
}

function seal({ key, domain }: AccessContext, uuid: string, secret: string | null): Uint8Array | null {
  return secret ? key.seal(secret, secretContext(domain.uuid, uuid)) : null
}

function secretContext(domainUuid: string, uuid: string): string {
  return `client secret of the authentication method ${uuid} of the domain ${domainUuid}`
}

function unknownMethod(uuid: string): HoldfastError {
  return new HoldfastError('NOT_FOUND', `there is no authentication method ${uuid}`)
}
