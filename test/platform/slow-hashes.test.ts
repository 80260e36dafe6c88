import { expect, test } from 'vitest'
import { applyImport } from '../../src/platform/imports/applying/apply-import.ts'
import { createRecord, updateRecord } from '../../src/platform/records/change-record.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { SecretKeeper } from '../../src/platform/secret-keeper.ts'
import { argon2id } from '../../src/platform/slow-hash.ts'
import { recordType } from '../../src/records/registry.ts'
import { GENERATED, Secret } from '../../src/records/secret.ts'
import { NO_SETTINGS } from '../../src/records/settings.ts'
import { TEXT } from '../../src/db/columns.ts'
import { applyAll, plan } from '../support/domain.ts'
import { countingDatabase } from '../support/counting-database.ts'
import { changeOf } from '../support/plan-parts.ts'
import { oneDomain } from './one-domain.ts'
import { OTHER, STRONG } from './secret-holders.ts'

// A slow hash inside of a transaction would hold the lock of the domain, or the only connection (docs/decisions/0005).

const domain = oneDomain()

interface Watched extends DomainContext {
  /** Each slow hash, as the number of transactions that were open when it was asked for. */
  readonly slow: number[]
  /** Lets all secrets be forgotten, as a new process has. */
  anew(): Watched
}

function watched(): Watched {
  const { database } = domain()
  let open = 0
  const during = async <T>(work: Promise<T>): Promise<T> => {
    open += 1
    return work.finally(() => (open -= 1))
  }
  const slow: number[] = []
  let running = 0
  const keeper = () =>
    new SecretKeeper(new Uint8Array(32).fill(7), domain().now, (...hashed) => {
      slow.push(open)
      running += 1
      // A long queue would keep all others from signing in.
      expect(running).toBeLessThanOrEqual(2)
      return argon2id(...hashed).finally(() => (running -= 1))
    })
  const own: DomainContext['database'] = {
    ...countingDatabase(database),
    read: (work) => during(database.read(work)),
    transaction: (work) => during(database.transaction(work)),
  }
  const context = { ...domain(), database: own, slow }
  const anew = (): Watched => ({ ...context, secrets: keeper(), anew })
  return anew()
}

const users = (password: string, count = 3) => ({
  machineUsers: Array.from({ length: count }, (_, index) => ({ username: `user-${index}`, password })),
})

test('generated passwords need no slow hash, and let nobody in', async () => {
  const context = watched()
  await applyAll(context, users(GENERATED))
  expect(context.slow).toEqual([])
  const rows = await domain().database.read((sql) => sql.rows({ hash: TEXT }, 'select hash from record_secrets'))
  expect(new Set(rows.map(({ hash }) => hash)).size).toBe(3)
  for (const { hash } of rows)
    for (const guess of [GENERATED, hash, hash.replace('hmac-sha256:', '')])
      expect(await context.secrets.check(recordType('machineUsers'), new Secret(guess), hash)).toBe(false)
})

test('checking a generated password takes one slow hash, as without a password', async () => {
  const context = watched()
  const { hash } = { hash: `hmac-sha256:${'a'.repeat(43)}` }
  expect(await context.secrets.checkPassword(new Secret('guess'), hash)).toEqual({ isRight: false, isOutdated: false })
  expect(await context.secrets.checkPassword(new Secret('guess'), null)).toEqual({ isRight: false, isOutdated: false })
  expect(context.slow).toEqual([0, 0])
})

test('an apply hashes strong passwords once each, outside of transactions', async () => {
  const context = watched()
  await applyAll(context, users(STRONG))
  expect(context.slow).toEqual([0, 0, 0])
  await applyAll(context, users(OTHER))
  expect(context.slow).toEqual([0, 0, 0, 0, 0, 0])
})

test('a plan fingerprints weak passwords once each, outside of transactions, and so does an apply elsewhere', async () => {
  const context = watched()
  const reviewed = await plan(context, users('hunter2'))
  expect(context.slow).toEqual([0, 0, 0])
  await plan(context, users('hunter2'))
  expect(context.slow).toEqual([0, 0, 0])
  const elsewhere = context.anew()
  await applyImport(elsewhere, { document: users('hunter2'), settings: NO_SETTINGS, plan: reviewed, origin: {} })
  expect(context.slow).toEqual(Array.from({ length: 9 }, () => 0))
  const planned = await plan(context.anew(), { ...users('hunter2', 2), ...users('hunter3', 1) })
  expect(changeOf(planned, 'machineUsers', 'user-0').secret).toBe('changed')
  expect(new Set(context.slow)).toEqual(new Set([0]))
})

test('an apply of which only the digest is known hashes outside of transactions', async () => {
  const context = watched()
  const { changes: _, ...reviewed } = await plan(context, users(STRONG))
  await applyImport(context, { document: users(STRONG), settings: NO_SETTINGS, plan: reviewed, origin: {} })
  expect(context.slow).toEqual([0, 0, 0])
})

test('the change of one record hashes its password outside of transactions', async () => {
  const context = watched()
  await createRecord(context, 'machineUsers', { username: 'single', password: STRONG }, [])
  await updateRecord(context, 'machineUsers', 'single', { password: OTHER }, [])
  await updateRecord(context, 'machineUsers', 'single', { password: GENERATED }, [])
  expect(context.slow).toEqual([0, 0])
})
