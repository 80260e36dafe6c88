import { describe, expect, it } from 'vitest'
import { TEXT } from '../../../../src/db/columns.ts'
import type { AccessContext } from '../../../../src/platform/access/access-context.ts'
import type { Account } from '../../../../src/platform/access/accounts/account.ts'
import { revokeConsent } from '../../../../src/platform/access/accounts/consents.ts'
import { personOfIdentity } from '../../../../src/platform/access/delegated/identity/external-identity.ts'
import { unbindIdentity } from '../../../../src/platform/access/delegated/identity/identities.ts'
import { saveStanding } from '../../../../src/platform/access/sessions/late-writes.ts'
import {
  createDelegatedMethod,
  deleteMethod,
  updateMethod,
  type DelegatedMethod,
} from '../../../../src/platform/access/methods/methods.ts'
import { createPasswordLink, setPassword } from '../../../../src/platform/access/accounts/password-links.ts'
import { endAllSessions, signOut } from '../../../../src/platform/access/sessions/sessions.ts'
import { identityStamp, passwordStamp } from '../../../../src/platform/access/sessions/security-stamp.ts'
import { tokenHash } from '../../../../src/platform/access/sessions/token-hash.ts'
import { ARTIFACT_KINDS, type ArtifactKind } from '../../../../src/server/oidc/artifact-kinds.ts'
import { createRecord, updateRecord } from '../../../../src/platform/records/change-record.ts'
import type { DomainContext } from '../../../../src/platform/domain-context.ts'
import { revokeAccount, type Artifact } from '../../../../src/store/access/artifacts.ts'
import { writeAccess } from '../../../../src/store/domains.ts'
import { endGrants } from '../../../../src/store/access/ended-artifacts.ts'
import { findPrincipal } from '../../../../src/store/access/principals.ts'
import { artifact } from '../../../support/access.ts'
import { countingDatabase } from '../../../support/counting-database.ts'
import { SAMPLED_DATABASES } from '../../../support/databases.ts'
import { countWaiting } from '../../../support/lock-waits.ts'
import { context, database, useDomain } from '../../../support/one-database.ts'

// Every kind of artifact against every way to end it: what a request that began before the end writes afterwards, and
// what it writes at the same moment.

const CLIENT = 'app.0123abcd'

/** Somebody who is signed in, with all that comes of it. */
interface SignedIn {
  readonly account: Pick<Account, 'uuid' | 'login'>
  readonly method: DelegatedMethod | null
  readonly identity: string | null
  readonly rule: string | null
  readonly stamp: string
  readonly session: string
  readonly grant: string
}

type Kind = ArtifactKind

const KINDS = ARTIFACT_KINDS

interface Ending {
  readonly name: string
  readonly by: 'password' | 'identity'
  /** What it ends. Left out: everything. */
  readonly ends?: readonly Kind[]
  /** Kinds of which the request had another one in hand before, and is about to write a new one that stands on the rest. */
  run(context: DomainContext, signedIn: SignedIn): Promise<unknown>
}

const access = <T>({ database, domain }: AccessContext, work: Parameters<typeof writeAccess<T>>[2]) =>
  writeAccess(database, domain.id, work)

const GIVEN: readonly Kind[] = ['Grant', 'AuthorizationCode', 'AccessToken', 'RefreshToken']
const OF_SESSION: readonly Kind[] = ['Session', ...GIVEN]
const OF_METHOD: readonly Kind[] = ['Session', 'Interaction', 'AuthorizationCode', 'AccessToken', 'RefreshToken']

const ENDINGS: readonly Ending[] = [
  {
    name: 'signing out, where the application has no refresh token',
    by: 'password',
    ends: ['Session', 'Grant', 'AuthorizationCode', 'AccessToken'],
    run: (context, { session }) => access(context, (sql) => signOut(sql, context.domain.id, session)),
  },
  {
    name: 'ending the session from elsewhere',
    by: 'password',
    ends: OF_SESSION,
    run: (context, { account }) => endAllSessions(context, account.uuid, tokenHash('none'), { exceptCurrent: false }),
  },
  {
    name: 'taking the grant back',
    by: 'password',
    ends: GIVEN,
    run: (context, { grant }) => access(context, (sql) => endGrants(sql, context.domain.id, [grant])),
  },
  {
    name: 'revoking consent',
    by: 'password',
    ends: GIVEN,
    run: (context, { account }) => revokeConsent(context, account.uuid, CLIENT),
  },
  {
    name: 'a new password',
    by: 'password',
    async run(context, { account }) {
      const { token } = await createPasswordLink(context, account.login, 'test')
      if ((await setPassword(context, token, crypto.randomUUID())) === null) throw new Error('not set')
    },
  },
  {
    name: 'revoking all of the account',
    by: 'password',
    run: (context, { account }) => access(context, (sql) => revokeAccount(sql, context.domain.id, account.uuid)),
  },
  ...(['password', 'identity'] as const).map((by) => ({
    name: `shutting the account out, though it is let in again, by ${by}`,
    by,
    async run(context: DomainContext, { account: { login } }: SignedIn) {
      for (const status of ['DEACTIVATED', 'ACTIVATED']) await updateRecord(context, 'users', login, { status }, [])
    },
  })),
  {
    name: 'other terms of the method',
    by: 'identity',
    ends: OF_METHOD,
    run: (context, { method }) =>
      updateMethod(context, method?.uuid ?? '', { configuration: { clientId: crypto.randomUUID() } }),
  },
  {
    name: 'deleting the method',
    by: 'identity',
    ends: OF_METHOD,
    run: (context, { method }) => deleteMethod(context, method?.uuid ?? ''),
  },
  {
    name: 'unbinding the identity',
    by: 'identity',
    ends: OF_METHOD,
    run: (context, { identity }) => unbindIdentity(context, identity ?? ''),
  },
  {
    name: 'a sign-in by another rule',
    by: 'identity',
    ends: OF_METHOD,
    run: (context, signedIn) => signInAgain(context, signedIn, 'second'),
  },
  {
    name: 'a sign-in that fits no rule',
    by: 'identity',
    ends: OF_METHOD,
    run: (context, signedIn) => signInAgain(context, signedIn, 'none').catch((error: unknown) => error),
  },
]

function claimsOf(method: DelegatedMethod, login: string, group: string) {
  return { iss: method.configuration.issuer, sub: 'somebody', email: login, email_verified: true, group }
}

function signInAgain(context: DomainContext, { method, account }: SignedIn, group: string): Promise<unknown> {
  if (method === null) throw new Error('who signed in by a password has no rule')
  return personOfIdentity(context, method, claimsOf(method, account.login, group))
}

function ruleFor(group: string) {
  return { name: group, claims: { group }, scopes: ['service'] }
}

async function signInBy(context: DomainContext, by: Ending['by']): Promise<SignedIn> {
  const [session, grant] = [crypto.randomUUID(), crypto.randomUUID()]
  const login = `${crypto.randomUUID()}@example.org`
  if (by === 'identity') {
    const issuer = `https://${crypto.randomUUID()}.example.org`
    const method = await createDelegatedMethod(context, {
      status: 'ACTIVATED',
      configuration: { clientId: 'us', issuer, emailDomains: ['example.org'], rules: ['first', 'second'].map(ruleFor) },
    })
    await createRecord(context, 'users', { email: login }, [])
    const { account, identity, rule } = await personOfIdentity(context, method, claimsOf(method, login, 'first'))
    return { account, method, identity, rule, stamp: identityStamp(method, identity), session, grant }
  }
  await createRecord(context, 'users', { email: login }, [])
  const { token } = await createPasswordLink(context, login, 'test')
  const account = await setPassword(context, token, crypto.randomUUID())
  if (account === null) throw new Error('no password was set')
  const principal = await access(context, (sql) => findPrincipal(sql, context.domain.id, ['users'], account.uuid))
  return {
    account,
    method: null,
    identity: null,
    rule: null,
    stamp: passwordStamp(principal?.hash ?? ''),
    session,
    grant,
  }
}

/** As a request would save it: `value` is what its owner holds. */
function made(kind: Kind, value: string, { account, method, session, grant }: SignedIn): Artifact {
  const isToken = ['AuthorizationCode', 'AccessToken', 'RefreshToken'].includes(kind)
  return artifact(value, {
    kind,
    accountUuid: account.uuid,
    methodUuid: kind === 'Grant' ? null : (method?.uuid ?? null),
    clientId: kind === 'Session' || kind === 'Interaction' ? null : CLIENT,
    uid: kind === 'Session' ? session : null,
    sessionUid: isToken ? session : null,
    grantId: isToken ? grant : null,
  })
}

async function save(context: AccessContext, one: Artifact, signedIn: SignedIn): Promise<boolean> {
  const { kind } = one
  const sessionUid = ['Session', 'Grant', 'AuthorizationCode'].includes(kind) ? signedIn.session : null
  const stamp = kind === 'Grant' ? null : signedIn.stamp
  const { rule } = signedIn
  return access(context, (sql) => saveStanding(sql, context.domain.id, one, { stamp, rule, sessionUid }))
}

/** What is there before the end; the value of each kind. Signing out leaves what has a refresh token, so there is none. */
async function begin(context: DomainContext, { by, ends = KINDS }: Ending) {
  const signedIn = await signInBy(context, by)
  const values = new Map<Kind, string>(
    KINDS.map((kind) => [kind, kind === 'Grant' ? signedIn.grant : crypto.randomUUID()]),
  )
  for (const kind of KINDS) {
    if (kind === 'RefreshToken' && !ends.includes(kind)) continue
    expect([kind, await save(context, made(kind, values.get(kind) ?? '', signedIn), signedIn)]).toStrictEqual([
      kind,
      true,
    ])
  }
  return { signedIn, valueOf: (kind: Kind) => values.get(kind) ?? '' }
}

async function left({ database }: AccessContext, { account }: SignedIn): Promise<string[]> {
  const rows = await database.read((sql) =>
    sql.rows({ kind: TEXT }, `select distinct kind from artifacts where account_uuid = $1::uuid order by kind`, [
      account.uuid,
    ]),
  )
  return rows.map(({ kind }) => kind)
}

describe.each(SAMPLED_DATABASES)('late writes on $name', ({ name, openMigrated }) => {
  useDomain({ openMigrated })

  describe.each(ENDINGS)('after $name', (ending) => {
    const { ends = KINDS, run } = ending
    it('nothing of it is saved again, nor is another one made in its place', async () => {
      const { signedIn, valueOf } = await begin(context, ending)
      await run(context, signedIn)
      const stays = KINDS.filter((kind) => !ends.includes(kind))
      for (const kind of ends) {
        expect(['same', kind, await save(context, made(kind, valueOf(kind), signedIn), signedIn)]).toStrictEqual([
          'same',
          kind,
          false,
        ])
        if (kind === 'Grant' || kind === 'Interaction') continue
        // Who entered the password at this moment signs in anew: nothing of the old session is in it.
        if (kind === 'Session' && ending.name.startsWith('revoking all')) continue
        const another = made(kind, crypto.randomUUID(), signedIn)
        expect(['another', kind, await save(context, another, signedIn)]).toStrictEqual(['another', kind, false])
      }
      expect((await left(context, signedIn)).filter((kind) => !stays.includes(kind as Kind))).toStrictEqual([])
    })

    if (name === 'PGlite') return

    it.each(ends)('a %s that is being written when it begins is gone when it is done', async (kind) => {
      const { signedIn, valueOf } = await begin(context, ending)
      const [reached, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const held = countingDatabase(database, async ({ text }) => {
        if (text !== 'COMMIT') return
        reached.resolve()
        await opened.promise
      })
      const writing = save({ ...context, database: held }, made(kind, valueOf(kind), signedIn), signedIn)
      await reached.promise
      const state = { isDone: false }
      const ended = run(context, signedIn).finally(() => (state.isDone = true))
      while (!state.isDone && (await countWaiting(database)) === 0)
        await new Promise((resolve) => setImmediate(resolve))
      opened.resolve()
      await Promise.all([writing, ended])
      expect(await left(context, signedIn)).not.toContain(kind)
    })
  })
})
