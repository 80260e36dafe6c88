import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgres } from '../../../src/db/postgres/postgres.ts'
import type { Database } from '../../../src/db/sql.ts'
import { sweepExpired } from '../../../src/platform/access/sessions/sweep.ts'
import { tokenHash } from '../../../src/platform/access/sessions/token-hash.ts'
import type { DomainContext } from '../../../src/platform/domain-context.ts'
import {
  consumeArtifact,
  deleteArtifact,
  findArtifact,
  findArtifactByUid,
  revokeAccount,
  revokeGrant,
  saveArtifact,
  type Artifact,
} from '../../../src/store/access/artifacts.ts'
import { readDomain, writeAccess } from '../../../src/store/domains.ts'
import { artifact } from '../../support/access.ts'
import { countingDatabase } from '../../support/counting-database.ts'
import { createPostgresDatabase, SAMPLED_DATABASES } from '../../support/databases.ts'
import { emptyDomain, makeDomain } from '../../support/domain.ts'
import { MIGRATED_TEMPLATE } from '../../support/global-setup.ts'

// What whoever signed in was given: codes, tokens, sessions.

const NOW = new Date('2026-05-01T10:00:00Z')

describe.each(SAMPLED_DATABASES)('artifacts on $name', ({ openMigrated }) => {
  let database: Database
  let first: DomainContext
  let second: DomainContext
  beforeAll(async () => {
    database = await openMigrated()
    first = await makeDomain(database, 'first')
    second = await makeDomain(database, 'second')
  })
  afterAll(() => database.close())

  const save = ({ domain }: DomainContext, ...artifacts: Artifact[]) =>
    writeAccess(database, domain.id, async (sql) => {
      for (const one of artifacts) await saveArtifact(sql, domain.id, one)
    })
  const find = ({ domain }: DomainContext, value: string, kind = 'AccessToken') =>
    readDomain(database, domain.id, (sql) => findArtifact(sql, domain.id, kind, tokenHash(value)))
  const consume = ({ domain }: DomainContext, value: string) =>
    writeAccess(database, domain.id, (sql) => consumeArtifact(sql, domain.id, 'AccessToken', tokenHash(value), NOW))
  const hashes = async (...values: string[]) =>
    (await Promise.all(values.map((value) => find(first, value)))).map((found) => found !== null)

  test('come back as they were saved', async () => {
    const whole = artifact('whole', {
      payload: { nested: { list: [1, 'two'] } },
      grantId: 'grant',
      uid: 'uid-of-whole',
      clientId: 'app.0123abcd',
      accountUuid: crypto.randomUUID(),
      methodUuid: crypto.randomUUID(),
      scope: 'openid service',
      consumedAt: NOW,
    })
    await save(first, whole, artifact('bare'))
    expect(await find(first, 'whole')).toStrictEqual(whole)
    expect(await find(first, 'bare')).toMatchObject({ payload: {}, grantId: null, accountUuid: null, consumedAt: null })
  })

  test('are found by value and kind, in their own domain only', async () => {
    await save(first, artifact('mine'))
    expect(await find(first, 'mine')).not.toBeNull()
    expect(await find(first, 'other')).toBeNull()
    expect(await find(first, 'mine', 'RefreshToken')).toBeNull()
    expect(await find(second, 'mine')).toBeNull()
    expect(await consume(second, 'mine')).toBe(false)
  })

  test('are found by the uid that a session has for its tokens', async () => {
    await save(first, artifact('session', { kind: 'Session', uid: 'uid-of-session' }))
    const byUid = (kind: string, uid: string) =>
      readDomain(database, first.domain.id, (sql) => findArtifactByUid(sql, first.domain.id, kind, uid))
    expect((await byUid('Session', 'uid-of-session'))?.kind).toBe('Session')
    expect(await byUid('Interaction', 'uid-of-session')).toBeNull()
  })

  test('are consumed once, and stay so when they are saved again', async () => {
    await save(first, artifact('code'))
    expect([await consume(first, 'code'), await consume(first, 'code')]).toStrictEqual([true, false])
    await save(first, artifact('code', { payload: { again: true } }))
    expect(await find(first, 'code')).toMatchObject({ payload: { again: true }, consumedAt: NOW })
    expect(await consume(first, 'code')).toBe(false)
    expect(await consume(first, 'never saved')).toBe(false)
  })

  test('end one by one, with their grant, and with their account', async () => {
    await emptyDomain(first)
    const accountUuid = crypto.randomUUID()
    await save(
      first,
      artifact('one'),
      artifact('of grant', { grantId: 'g1' }),
      artifact('of grant too', { grantId: 'g1', accountUuid }),
      artifact('of account', { grantId: 'g2', accountUuid }),
      artifact('neighbour', { grantId: 'g3', accountUuid: crypto.randomUUID() }),
    )
    const { id } = first.domain
    const all = ['one', 'of grant', 'of grant too', 'of account', 'neighbour']
    await writeAccess(database, id, (sql) => deleteArtifact(sql, id, 'AccessToken', tokenHash('one')))
    expect(await hashes(...all)).toStrictEqual([false, true, true, true, true])
    await writeAccess(database, id, (sql) => revokeGrant(sql, id, 'g1'))
    expect(await hashes(...all)).toStrictEqual([false, false, false, true, true])
    await writeAccess(database, id, (sql) => revokeAccount(sql, id, accountUuid))
    expect(await hashes(...all)).toStrictEqual([false, false, false, false, true])
  })

  test('that have expired are swept away in batches, in every domain, and no others', async () => {
    await emptyDomain(first)
    const past = Array.from({ length: 1_001 }, (_, n) => artifact(`past ${n}`, { expiresAt: NOW }))
    await save(first, ...past, artifact('future', { expiresAt: new Date(NOW.getTime() + 1) }))
    await save(second, artifact('past', { expiresAt: NOW }))
    // A request may go on for as long after its token has expired.
    expect(await sweepExpired(database, new Date(NOW.getTime() + 7_199_000))).toBe(0)
    expect(await sweepExpired(database, new Date(NOW.getTime() + 7_200_000))).toBe(1_002)
    expect(await hashes('past 0', 'past 1000', 'future')).toStrictEqual([false, false, true])
    expect(await find(second, 'past')).toBeNull()
  })

  test('are swept away although something else cannot be, and that is told', async () => {
    await save(second, artifact('past', { expiresAt: NOW }))
    let failures = 0
    const failing = countingDatabase(database, ({ text, values }) => {
      if (!text.includes('delete from artifacts') || values[0] !== first.domain.id) return
      failures += 1
      throw new Error('the disk is full')
    })
    await expect(sweepExpired(failing, new Date(NOW.getTime() + 7_200_000))).rejects.toThrow('the disk is full')
    expect(failures).toBe(1)
    expect(await find(second, 'past')).toBeNull()
  })

  test('of the domains of a node that is away are asked for once, whatever their number', async () => {
    const asked: unknown[] = []
    const failing = countingDatabase(database, ({ text, values }) => {
      if (!text.startsWith('delete from')) return
      asked.push(values[0])
      throw Object.assign(new Error('connection to the remote node failed'), { code: '08006' })
    })
    const ofOneNode = [first, second].map(({ domain: { id } }) => ({ domainId: id, node: 1 }))
    const rows = () => Promise.resolve(ofOneNode)
    const sweeping = sweepExpired({ ...failing, rows } as unknown as Database, NOW)
    await expect(sweeping).rejects.toThrow('remote node')
    expect(asked).toHaveLength(1)
  })

  test('of a domain whose node is away are asked for once, and those of other domains are swept', async () => {
    await save(second, artifact('past', { expiresAt: NOW }))
    const asked: string[] = []
    const failing = countingDatabase(database, ({ text, values }) => {
      if (!text.startsWith('delete from') || values[0] !== first.domain.id) return
      asked.push(text)
      throw Object.assign(new Error('connection to the remote node failed'), { code: '08006' })
    })
    await expect(sweepExpired(failing, new Date(NOW.getTime() + 7_200_000))).rejects.toThrow('remote node')
    expect(asked).toHaveLength(1)
    expect(await find(second, 'past')).toBeNull()
  })
})

test('of all who race to consume an artifact over several connections exactly one wins', async () => {
  const { url, drop } = await createPostgresDatabase(MIGRATED_TEMPLATE)
  const servers = await Promise.all([1, 2].map(() => openPostgres(url, { maxConnections: 8 })))
  const { domain } = await makeDomain(servers[0] as Database)
  const rounds = 300
  for (let round = 0; round < rounds; round += 1) {
    const value = `code ${round}`
    await writeAccess(servers[0] as Database, domain.id, (sql) => saveArtifact(sql, domain.id, artifact(value)))
    const won = await Promise.all(
      [0, 1, 0, 1, 0, 1, 0, 1].map((server) =>
        writeAccess(servers[server] as Database, domain.id, (sql) =>
          consumeArtifact(sql, domain.id, 'AccessToken', tokenHash(value), NOW),
        ),
      ),
    )
    expect(won.filter(Boolean)).toHaveLength(1)
  }
  await Promise.all(servers.map((server) => server.close()))
  await drop()
})
