import { availableParallelism } from 'node:os'
import { describe, expect, test } from 'vitest'
import { ARGON2 } from '../../../../src/auth/password-hash.ts'
import { TEXT } from '../../../../src/db/columns.ts'
import {
  checkPassword,
  findAccount,
  findAccountByLogin,
  hasPasswordOf,
} from '../../../../src/platform/access/accounts/accounts.ts'
import { createPasswordLink, setPassword } from '../../../../src/platform/access/accounts/password-links.ts'
import type { AccessContext } from '../../../../src/platform/access/access-context.ts'
import { SecretKeeper } from '../../../../src/platform/secret-keeper.ts'
import { argon2id, type SlowHash } from '../../../../src/platform/slow-hash.ts'
import type { JsonObject } from '../../../../src/lib/json.ts'
import { Secret } from '../../../../src/records/secret.ts'
import { makePlatformRecord } from '../../../support/access.ts'
import { applyAll, plan } from '../../../support/domain.ts'
import { oneDomain } from '../../one-domain.ts'

const domain = oneDomain()

const PASSWORD = 'pässwörd of the gateway 8Kd02mfPq71L'

const gateway = (fields: JsonObject = {}) => ({
  machineUsers: [{ username: 'gateway', password: PASSWORD, ...fields }],
})

const people = (...users: (JsonObject & { email: string })[]) => ({ users })

/** Invites somebody who then chooses a password. */
async function choosePassword(context: AccessContext, email: string, password: string): Promise<void> {
  const { token } = await createPasswordLink(context, email, 'operator')
  if ((await setPassword(context, token, password)) === null) throw new Error('the link does not work')
}

describe('an account', () => {
  test('is a person or a machine user of the model', async () => {
    await applyAll(domain(), { ...gateway(), ...people({ email: 'Ada@Example.org', name: 'Ada' }) })
    const ada = await findAccountByLogin(domain(), 'person', 'aDa@example.ORG')
    expect(ada).toStrictEqual({
      uuid: ada?.uuid,
      kind: 'person',
      login: 'ada@example.org',
      name: 'Ada',
      email: 'ada@example.org',
      status: 'ACTIVATED',
    })
    expect(await findAccount(domain(), ada?.uuid ?? '')).toStrictEqual(ada)
    expect(await findAccountByLogin(domain(), 'machine', 'gateway')).toMatchObject({
      kind: 'machine',
      login: 'gateway',
      name: null,
      email: null,
    })
  })

  test('is nobody who is not there', async () => {
    expect(await findAccount(domain(), crypto.randomUUID())).toBeNull()
    expect(await findAccount(domain(), `'; drop table records; --`)).toBeNull()
    for (const login of ['nobody', '', 'no\0body', '\ud800', 'x'.repeat(10_000)]) {
      expect(await findAccountByLogin(domain(), 'person', login)).toBeNull()
      expect(await findAccountByLogin(domain(), 'machine', login)).toBeNull()
    }
  })

  test('of the platform counts until a record of the model has its name', async () => {
    const hash = await domain().secrets.hashPassword(new Secret('password of the platform'))
    const key = { type: 'machineUsers', key: 'gateway' } as const
    const uuid = await makePlatformRecord(domain(), key, { username: 'gateway', status: 'ACTIVATED' }, hash)
    expect(await findAccount(domain(), uuid)).toMatchObject({ uuid, kind: 'machine', login: 'gateway' })
    expect(await checkPassword(domain(), 'gateway', 'password of the platform')).not.toBeNull()
    await applyAll(domain(), gateway())
    expect(await checkPassword(domain(), 'gateway', 'password of the platform')).toBeNull()
    expect(await checkPassword(domain(), 'gateway', PASSWORD)).not.toBeNull()
  })

  test('has the status that its record has, whatever it is', async () => {
    for (const status of ['DEACTIVATED', 'ARCHIVED', 'ACTIVATED']) {
      await applyAll(domain(), gateway({ status }))
      expect((await findAccountByLogin(domain(), 'machine', 'gateway'))?.status).toBe(status)
    }
  })
})

describe('a password', () => {
  test('signs in the machine user or person that it belongs to', async () => {
    await applyAll(domain(), { ...gateway(), ...people({ email: 'ada@example.org' }) })
    await choosePassword(domain(), 'ada@example.org', 'correct horse battery')
    expect((await checkPassword(domain(), 'gateway', PASSWORD))?.login).toBe('gateway')
    expect((await checkPassword(domain(), 'ADA@example.org', 'correct horse battery'))?.login).toBe('ada@example.org')
    expect(await checkPassword(domain(), 'gateway', 'correct horse battery')).toBeNull()
    expect(await checkPassword(domain(), 'GATEWAY', PASSWORD)).toBeNull()
  })

  test('is one text in all Unicode normal forms, as keyboards send it', async () => {
    await applyAll(domain(), gateway())
    for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'])
      expect(await checkPassword(domain(), 'gateway', PASSWORD.normalize(form))).not.toBeNull()
  })

  test.each(['DEACTIVATED', 'ARCHIVED'])('signs in nobody who is %s', async (status) => {
    await applyAll(domain(), gateway({ status }))
    expect(await checkPassword(domain(), 'gateway', PASSWORD)).toBeNull()
  })

  test('of a person who has none is none, not even an empty one', async () => {
    await applyAll(domain(), people({ email: 'ada@example.org' }))
    for (const password of ['', 'null', 'undefined']) {
      expect(await checkPassword(domain(), 'ada@example.org', password)).toBeNull()
    }
  })

  test('that a person has is not part of the model: no plan sees it', async () => {
    const model = people({ email: 'ada@example.org', name: 'Ada' })
    await applyAll(domain(), model)
    await choosePassword(domain(), 'ada@example.org', 'correct horse battery')
    expect((await plan(domain(), model)).outcome).toBe('no-changes')
    await applyAll(domain(), people({ email: 'ada@example.org', name: 'Ada L.' }))
    expect(await checkPassword(domain(), 'ada@example.org', 'correct horse battery')).not.toBeNull()
  })
})

/** A context that counts how often the slow hash is computed. */
function counting(): { context: AccessContext; count: () => number } {
  let calls = 0
  const slowHash: SlowHash = (...given) => {
    calls += 1
    return argon2id(...given)
  }
  const secrets = new SecretKeeper(new Uint8Array(32).fill(7), () => new Date(), slowHash)
  const count = () => {
    const counted = calls
    calls = 0
    return counted
  }
  return { context: { ...domain(), secrets }, count }
}

test('checking a password is the same work whoever is meant and whatever is wrong', async () => {
  await applyAll(domain(), {
    machineUsers: [
      { username: 'gateway', password: PASSWORD },
      { username: 'gone', password: PASSWORD, status: 'ARCHIVED' },
    ],
    ...people({ email: 'ada@example.org' }, { email: 'invited@example.org' }),
  })
  await choosePassword(domain(), 'ada@example.org', 'correct horse battery')
  const { context, count } = counting()
  for (const login of [
    'gateway',
    'gone',
    'ada@example.org',
    'invited@example.org',
    'nobody@example.org',
    'no\0body',
    '',
  ]) {
    for (const password of [PASSWORD, 'wrong', 'x'.repeat(1_024)]) {
      await checkPassword(context, login, password)
      expect([login, count()]).toStrictEqual([login, 1])
    }
    // How long a password is its sender knows already.
    for (const password of ['', 'x'.repeat(1_025), 'é'.repeat(513)]) {
      expect(await checkPassword(context, login, password)).toBeNull()
      expect(count()).toBe(0)
    }
  }
})

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/=+$/, '')

/** Stores the hash of the password as an earlier release made it. */
async function storeOldHash(): Promise<string> {
  const salt = new Uint8Array(16).fill(1)
  const tag = await argon2id(PASSWORD.normalize('NFKC'), salt, { ...ARGON2, passes: 1 })
  const old = `$argon2id$v=19$m=${ARGON2.memory},t=1,p=1$${base64(salt)}$${base64(tag)}`
  await domain().database.transaction((sql) => sql.query('update record_secrets set hash = $1', [old]))
  return old
}

test('a hash of other parameters is made anew when its owner signs in, and by nobody else', async () => {
  await applyAll(domain(), gateway())
  const stored = async () => {
    const [row] = await domain().database.read((sql) => sql.rows({ hash: TEXT }, 'select hash from record_secrets'))
    return row?.hash ?? ''
  }
  const old = await storeOldHash()
  expect(await checkPassword(domain(), 'gateway', 'wrong')).toBeNull()
  expect(await stored()).toBe(old)
  expect(await checkPassword(domain(), 'gateway', PASSWORD)).not.toBeNull()
  expect(await stored()).toContain(`$m=${ARGON2.memory},t=${ARGON2.passes},p=1$`)
  expect(await checkPassword(domain(), 'gateway', PASSWORD)).not.toBeNull()
  expect((await plan(domain(), gateway())).outcome).toBe('no-changes')
})

test('two sign-ins that hash a password anew at once both count', async () => {
  await applyAll(domain(), gateway())
  await storeOldHash()
  const both = Promise.withResolvers<void>()
  let checks = 0
  const secrets = new SecretKeeper(new Uint8Array(32).fill(7), domain().now, async (...hashed) => {
    if ((checks += 1) === 2) both.resolve()
    await both.promise
    return argon2id(...hashed)
  })
  const context = { ...domain(), secrets }
  const found = await Promise.all([1, 2].map(() => checkPassword(context, 'gateway', PASSWORD)))
  for (const account of found) {
    expect(account).not.toBeNull()
    expect(await hasPasswordOf(domain(), account?.uuid ?? '', account?.stamp ?? '')).toBe(true)
  }
})

test('where too many wait to have their passwords checked, whoever comes next is asked to try again', async () => {
  await applyAll(domain(), gateway())
  const salt = new Uint8Array(16)
  const hash = (parameters: object) => argon2id('x', salt, { ...ARGON2, ...parameters })
  // Slow ones take every turn, so that all others are still in line when the next one comes.
  const slow = Array.from({ length: 2 * availableParallelism() }, () => hash({ memory: 19_456, passes: 30 }))
  const waiting = Array.from({ length: 256 }, () => hash({ memory: 8 }))
  for (const login of ['gateway', 'nobody'])
    await expect(checkPassword(domain(), login, PASSWORD)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  // A flood does not keep out whoever has signed in from there before.
  const known = checkPassword(domain(), 'gateway', PASSWORD, { isKnown: true })
  await Promise.all([...slow, ...waiting])
  expect(await known).not.toBeNull()
  expect(await checkPassword(domain(), 'gateway', PASSWORD)).not.toBeNull()
})
