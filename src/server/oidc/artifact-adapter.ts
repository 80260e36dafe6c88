import { errors, Provider, type Adapter, type AdapterPayload } from 'oidc-provider'
import type { AccessContext } from '../../platform/access/access-context.ts'
import { hasPasswordOf } from '../../platform/access/accounts/accounts.ts'
import { findMethod, type AuthenticationMethod } from '../../platform/access/methods/methods.ts'
import { saveStanding } from '../../platform/access/sessions/late-writes.ts'
import { signOut } from '../../platform/access/sessions/sessions.ts'
import { hasIdentityOf } from '../../platform/access/delegated/identity/standing-identity.ts'
import { tokenHash } from '../../platform/access/sessions/token-hash.ts'
import {
  consumeArtifact,
  deleteArtifact,
  findArtifact,
  findArtifactByUid,
  revokeGrant,
  type Artifact,
} from '../../store/access/artifacts.ts'
import { readDomain, writeAccess } from '../../store/domains.ts'
import { endGrants } from '../../store/access/ended-artifacts.ts'
import { findActiveAccount } from './accounts.ts'
import {
  hasEnded,
  isToken,
  originOf,
  refuseUnknown,
  sessionBehind,
  uidToEnd,
  withBearerValues,
  withoutBearerValues,
} from './artifact-kinds.ts'
import { secondsToRefresh } from './lifetimes.ts'
import { accountOfLogin, fitsGiven, proofOf, readProof, type Proof } from '../login/proof.ts'
import { redirectUriOf, requireRedirectUri } from './redirect-uri.ts'
import { secondsAhead, shifted } from './library-clock.ts'
import { stateOf } from './request-state.ts'

/**
 * An honest client sometimes sends the same refresh token twice, after a lost answer or from two windows. A repetition
 * within this time is only rejected; a later one counts as theft (RFC 9700, section 4.14.2). A repeated code always
 * counts as theft (RFC 6749, section 4.1.2), because thief and client would both use it within the same minute.
 */
const HONEST_REPEAT_MS = 5_000

/** Stores the artifacts of oidc-provider. Each kind has its own adapter. */
export class ArtifactAdapter implements Adapter {
  readonly #kind: string
  readonly #context: AccessContext
  readonly #issuer: string

  constructor(kind: string, context: AccessContext, issuer: string) {
    this.#kind = kind
    this.#context = context
    this.#issuer = issuer
  }

  async upsert(id: string, payload: AdapterPayload, seconds: number): Promise<void> {
    refuseUnknown(this.#kind)
    const artifact = this.#artifactOf(id, payload, seconds)
    const { stamp, provider } = proofOf(this.#kind, payload, Provider.ctx)
    const sessionUid = sessionBehind(this.#kind, payload, Provider.ctx)
    const standing = { stamp, rule: provider?.rule ?? null, sessionUid, ...fitsGiven(this.#kind, Provider.ctx) }
    const isSaved = await this.#write((sql, domainId) => saveStanding(sql, domainId, artifact, standing))
    // A session that has ended need not be saved. For every other artifact, a client waits for the result.
    if (!isSaved && this.#kind !== 'Session') throw hasEnded(this.#kind, Provider.ctx)
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    if (this.#kind === 'AccessToken') refuseTokenInForm()
    const artifact = await this.#read((sql, domainId) => findArtifact(sql, domainId, this.#kind, tokenHash(id)))
    return artifact === null ? undefined : this.#payloadOf(id, artifact)
  }

  /** Finds a session by its uid, which appears in tokens. The session's secret value is known only to the browser. */
  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    const artifact = await this.#read((sql, domainId) => findArtifactByUid(sql, domainId, this.#kind, uid))
    if (artifact === null) return undefined
    const { jti: _, ...payload } = (await this.#payloadOf('', artifact)) ?? {}
    return Object.keys(payload).length === 0 ? undefined : payload
  }

  /** The platform does not support the device flow. */
  findByUserCode(): Promise<undefined> {
    return Promise.resolve(undefined)
  }

  /**
   * Marks an artifact as used. Several requests may have found it unused at the same moment, and only one of them
   * succeeds. The others are rejected. If the artifact is a code, its tokens are revoked as well.
   */
  async consume(id: string): Promise<void> {
    const hash = tokenHash(id)
    const isFirst = await this.#write((sql, domainId) =>
      consumeArtifact(sql, domainId, this.#kind, hash, this.#context.now()),
    )
    if (isFirst) return
    if (this.#kind === 'AuthorizationCode') await this.#endGrantOf(hash)
    throw new errors.InvalidGrant('used before')
  }

  /** Uses a separate transaction, because grants must be locked before the artifacts based on them. */
  async #endGrantOf(hash: Uint8Array): Promise<void> {
    await this.#write(async (sql, domainId) => {
      const artifact = await findArtifact(sql, domainId, this.#kind, hash)
      if (artifact !== null && artifact.grantId !== null) await endGrants(sql, domainId, [artifact.grantId])
    })
  }

  async destroy(id: string): Promise<void> {
    await this.#write(async (sql, domainId) => {
      const uid = uidToEnd(this.#kind, id, Provider.ctx)
      if (uid !== null) await signOut(sql, domainId, uid)
      else if (this.#kind === 'Grant') await endGrants(sql, domainId, [id])
      else await deleteArtifact(sql, domainId, this.#kind, tokenHash(id))
    })
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.#write((sql, domainId) => revokeGrant(sql, domainId, grantId))
  }

  #artifactOf(id: string, payload: AdapterPayload, seconds: number): Artifact {
    const now = this.#context.now()
    const timed = shifted(payload, secondsAhead(this.#context))
    const { iat, uid, clientId, accountId, scope, grantId } = timed
    return {
      kind: this.#kind,
      hash: tokenHash(id),
      payload: {
        ...withoutBearerValues(timed),
        ...originOf(this.#kind, Provider.ctx),
        ...redirectUriOf(this.#kind, Provider.ctx),
      },
      // An interaction only refers to the grant with which it may continue, and revoking that grant must not delete
      // the interaction.
      grantId: this.#kind === 'Interaction' ? null : (grantId ?? null),
      uid: uid ?? null,
      sessionUid: isToken(this.#kind) ? (payload.sessionUid ?? null) : null,
      clientId: clientId ?? null,
      accountUuid: accountId ?? accountOfLogin(payload) ?? null,
      methodUuid: proofOf(this.#kind, payload, Provider.ctx).methodUuid,
      scope: scope ?? null,
      issuedAt: iat === undefined ? now : new Date(iat * 1000),
      consumedAt: null,
      expiresAt: new Date(now.getTime() + seconds * 1000),
    }
  }

  /** Returns the payload; undefined if the artifact is no longer valid, so that the library treats it as unknown. */
  async #payloadOf(id: string, artifact: Artifact): Promise<AdapterPayload | undefined> {
    if (artifact.expiresAt <= this.#context.now()) return undefined
    if (this.#isHonestRepeat(artifact) && !isRevocation()) return undefined
    if (!(await this.#stands(artifact))) return undefined
    const ahead = secondsAhead(this.#context)
    const payload = shifted(withBearerValues(this.#kind, id, artifact.payload, this.#issuer), -ahead)
    requireRedirectUri(payload, Provider.ctx)
    // Using a session extends it and its token: see `SessionsInUse`.
    if (payload.exp !== undefined) payload.exp = Math.floor(artifact.expiresAt.getTime() / 1000) - ahead
    if (artifact.consumedAt !== null) payload.consumed = Math.floor(artifact.consumedAt.getTime() / 1000)
    if (isUserinfo()) return withOpenid(this.#kind, payload)
    return this.#kind === 'Grant' ? withinClientScopes(payload) : payload
  }

  /**
   * Tells whether an honest client repeated an artifact. It uses the arrival time of the request, because a slow server
   * must not make clients look like thieves.
   */
  #isHonestRepeat({ consumedAt }: Artifact): boolean {
    if (this.#kind !== 'RefreshToken') return false
    const context = Provider.ctx
    const asked = context === undefined ? this.#context.now() : stateOf(context).arrivedAt
    return consumedAt !== null && asked.getTime() - consumedAt.getTime() < HONEST_REPEAT_MS
  }

  /**
   * Tells whether an artifact is still valid. It is not if the method is no longer ACTIVATED, or if the password or the
   * method's configuration has changed since the sign-in. The library itself does not check the account of a session.
   */
  async #stands({ methodUuid, accountUuid, payload }: Artifact): Promise<boolean> {
    const method = methodUuid === null ? null : await findMethod(this.#context, methodUuid)
    if (methodUuid !== null && method?.status !== 'ACTIVATED') return false
    const proof = readProof(payload)
    if (this.#kind === 'RefreshToken' && (secondsToRefresh(this.#context, proof) ?? 1) <= 0) return false
    if (proof.stamp !== null && !(await this.#isStillValid(proof, method, accountUuid))) return false
    if (this.#kind !== 'Session' || accountUuid === null) return true
    return (await findActiveAccount(this.#context, accountUuid)) !== undefined
  }

  async #isStillValid(
    { stamp, provider }: Proof,
    method: AuthenticationMethod | null,
    accountUuid: string | null,
  ): Promise<boolean> {
    if (accountUuid === null || stamp === null) return false
    const rule = provider?.rule ?? null
    if (method?.kind === 'openid-delegated') return hasIdentityOf(this.#context, method, accountUuid, { stamp, rule })
    return hasPasswordOf(this.#context, accountUuid, stamp)
  }

  #read<T>(work: (sql: Parameters<Parameters<typeof readDomain>[2]>[0], domainId: number) => Promise<T>): Promise<T> {
    const { database, domain } = this.#context
    return readDomain(database, domain.id, (sql) => work(sql, domain.id))
  }

  #write<T>(work: (sql: Parameters<Parameters<typeof writeAccess>[2]>[0], domainId: number) => Promise<T>): Promise<T> {
    const { database, domain } = this.#context
    return writeAccess(database, domain.id, (sql) => work(sql, domain.id))
  }
}

/** Tells whether the request is a revocation. It must find a just used token, too, to revoke its successors. */
function isRevocation(): boolean {
  return Provider.ctx?.oidc.route === 'revocation'
}

function isUserinfo(): boolean {
  return Provider.ctx?.oidc.route === 'userinfo'
}

/**
 * Adds the scope `openid`. By the specification (section 4), every token may read who it belongs to, but the library
 * requires `openid` for that. The other claims still depend on the token's scopes.
 */
function withOpenid(kind: string, payload: AdapterPayload): AdapterPayload {
  if (kind === 'AccessToken') return { ...payload, scope: `openid ${payload.scope ?? ''}`.trim() }
  if (kind !== 'Grant') return payload
  const { openid } = withinClientScopes(payload) as { openid?: { scope?: string } }
  return { ...payload, openid: { ...openid, scope: `openid ${openid?.scope ?? ''}`.trim() } }
}

/** Restricts a grant to the present scopes of its client, which may have fewer now than when the grant was made. */
function withinClientScopes(grant: AdapterPayload): AdapterPayload {
  const client = Provider.ctx?.oidc.client
  const { openid } = grant as { openid?: { scope?: string } }
  if (client === undefined || client.clientId !== grant.clientId || openid?.scope === undefined) return grant
  if (client.clientAuthMethod === 'none') return grant
  const allowed = new Set((client.scope ?? '').split(' '))
  const scope = openid.scope.split(' ').filter((name) => allowed.has(name))
  return { ...grant, openid: { ...openid, scope: scope.join(' ') } }
}

/** Rejects tokens in forms (RFC 6750, 2.2). Forms get into logs and other servers, and no client needs them. */
function refuseTokenInForm(): void {
  if (isUserinfo() && Provider.ctx?.oidc.body?.['access_token'] !== undefined)
    throw new errors.InvalidRequest('access tokens are only taken from the Authorization header')
}
