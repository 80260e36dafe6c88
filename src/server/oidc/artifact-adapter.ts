import { errors, Provider, type Adapter, type AdapterPayload } from 'oidc-provider'
import type { AccessContext } from '../../platform/access/access-context.ts'
import { hasPasswordOf } from '../../platform/access/accounts/accounts.ts'
import { findMethod, type AuthenticationMethod } from '../../platform/access/methods/methods.ts'
import { saveStanding } from '../../platform/access/sessions/late-writes.ts'
import { signOut } from '../../platform/access/sessions/sessions.ts'
import { hasIdentityOf } from '../../platform/access/delegated/standing-identity.ts'
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
import { hasEnded, isToken, originOf, sessionBehind, uidToEnd } from './artifact-kinds.ts'
import { accountOfLogin, fitsGiven, proofOf, readAcr } from './clients/proof.ts'
import { stateOf } from './request-state.ts'
import { withBearerValues, withoutBearerValues } from './stored-payload.ts'

/**
 * An honest client sometimes sends the same code or refresh token twice: a lost answer, two windows. What arrives so soon
 * after the first is refused and no more; what comes later is taken for stolen (RFC 9700, section 4.14.2).
 */
const HONEST_REPEAT_MS = 5_000

/** Where oidc-provider keeps what it gives out: one adapter for each kind. */
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
    const artifact = this.#artifactOf(id, payload, seconds)
    const { stamp } = proofOf(this.#kind, payload, Provider.ctx)
    const sessionUid = sessionBehind(this.#kind, payload, Provider.ctx)
    const standing = { stamp, sessionUid, ...fitsGiven(this.#kind, Provider.ctx) }
    const isSaved = await this.#write((sql, domainId) => saveStanding(sql, domainId, artifact, standing))
    // A session that has ended need not be saved; everything else somebody waits for.
    if (!isSaved && this.#kind !== 'Session') throw hasEnded(this.#kind, Provider.ctx)
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    if (this.#kind === 'AccessToken') refuseTokenInForm()
    const artifact = await this.#read((sql, domainId) => findArtifact(sql, domainId, this.#kind, tokenHash(id)))
    return artifact === null ? undefined : this.#payloadOf(id, artifact)
  }

  /** Only sessions have one. It stands in tokens; the session's own value, which the browser has, is not known here. */
  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    const artifact = await this.#read((sql, domainId) => findArtifactByUid(sql, domainId, this.#kind, uid))
    if (artifact === null) return undefined
    const { jti: _, ...payload } = (await this.#payloadOf('', artifact)) ?? {}
    return Object.keys(payload).length === 0 ? undefined : payload
  }

  /** There is no device flow. */
  findByUserCode(): Promise<undefined> {
    return Promise.resolve(undefined)
  }

  /**
   * The library has looked already whether it is consumed, but so have others at the same moment: one of them wins, and
   * the others came too early to be taken for thieves.
   */
  async consume(id: string): Promise<void> {
    const isFirst = await this.#write((sql, domainId) =>
      consumeArtifact(sql, domainId, this.#kind, tokenHash(id), this.#context.now()),
    )
    if (!isFirst) throw new errors.InvalidGrant('used before')
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
    const { iat, uid, clientId, accountId, scope, grantId } = payload
    return {
      kind: this.#kind,
      hash: tokenHash(id),
      payload: { ...withoutBearerValues(payload), ...originOf(this.#kind, Provider.ctx) },
      // Of an interaction it is only what it may go on with, and taking that back is no reason to forget the request.
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

  /** Undefined where it is not good any more: for the library it is as if it had never been. */
  async #payloadOf(id: string, artifact: Artifact): Promise<AdapterPayload | undefined> {
    if (artifact.expiresAt <= this.#context.now()) return undefined
    if (this.#isHonestRepeat(artifact) && !isRevocation()) return undefined
    if (!(await this.#stands(artifact))) return undefined
    const payload = withBearerValues(this.#kind, id, artifact.payload, this.#issuer)
    if (artifact.consumedAt !== null) payload.consumed = Math.floor(artifact.consumedAt.getTime() / 1000)
    if (isUserinfo()) return withOpenid(this.#kind, payload)
    return this.#kind === 'Grant' ? withinClientScopes(payload) : payload
  }

  /** However long it took until it is looked at: a server that is slow must not make thieves of its clients. */
  #isHonestRepeat({ consumedAt }: Artifact): boolean {
    const context = Provider.ctx
    const asked = context === undefined ? this.#context.now() : stateOf(context).arrivedAt
    return consumedAt !== null && asked.getTime() - consumedAt.getTime() < HONEST_REPEAT_MS
  }

  /**
   * Whoever signed in by a method that is not ACTIVATED any more is not signed in, nor who did so by another password or
   * on other terms than there are now; and the library takes the account of a session for granted.
   */
  async #stands({ methodUuid, accountUuid, payload }: Artifact): Promise<boolean> {
    const method = methodUuid === null ? null : await findMethod(this.#context, methodUuid)
    if (methodUuid !== null && method?.status !== 'ACTIVATED') return false
    const { stamp } = readAcr(payload['acr'])
    if (stamp !== null && !(await this.#isStillValid(stamp, method, accountUuid))) return false
    if (this.#kind !== 'Session' || accountUuid === null) return true
    return (await findActiveAccount(this.#context, accountUuid)) !== undefined
  }

  async #isStillValid(
    stamp: string,
    method: AuthenticationMethod | null,
    accountUuid: string | null,
  ): Promise<boolean> {
    if (accountUuid === null) return false
    if (method?.kind === 'openid-delegated') return hasIdentityOf(this.#context, method, accountUuid, stamp)
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

/** Taking back what was just used takes back what it was used for. */
function isRevocation(): boolean {
  return Provider.ctx?.oidc.route === 'revocation'
}

function isUserinfo(): boolean {
  return Provider.ctx?.oidc.route === 'userinfo'
}

/**
 * The specification has a bearer told who it is (section 4), and names no scope for that; the library wants `openid`. What
 * else is told about the person is as ever what the token's scopes allow.
 */
function withOpenid(kind: string, payload: AdapterPayload): AdapterPayload {
  if (kind === 'AccessToken') return { ...payload, scope: `openid ${payload.scope ?? ''}`.trim() }
  if (kind !== 'Grant') return payload
  const { openid } = withinClientScopes(payload) as { openid?: { scope?: string } }
  return { ...payload, openid: { ...openid, scope: `openid ${openid?.scope ?? ''}`.trim() } }
}

/** What was allowed once is not what the client may have now, where its consumer lists less today. */
function withinClientScopes(grant: AdapterPayload): AdapterPayload {
  const client = Provider.ctx?.oidc.client
  const { openid } = grant as { openid?: { scope?: string } }
  if (client === undefined || client.clientId !== grant.clientId || openid?.scope === undefined) return grant
  if (client.clientAuthMethod === 'none') return grant
  const allowed = new Set((client.scope ?? '').split(' '))
  const scope = openid.scope.split(' ').filter((name) => allowed.has(name))
  return { ...grant, openid: { ...openid, scope: scope.join(' ') } }
}

/** RFC 6750, section 2.2, allows it; but forms get logged and sent on, and nobody needs it. */
function refuseTokenInForm(): void {
  if (isUserinfo() && Provider.ctx?.oidc.body?.['access_token'] !== undefined)
    throw new errors.InvalidRequest('access tokens are only taken from the Authorization header')
}
