import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AccessContext } from '../../../src/platform/access/access-context.ts'
import { checkPassword, findAccountByLogin } from '../../../src/platform/access/accounts/accounts.ts'
import { identifyBearer } from '../../../src/platform/access/sessions/identify-bearer.ts'
import { checkClientSecret, findClient } from '../../../src/platform/access/clients/clients.ts'
import { exportDocument } from '../../../src/platform/imports/export-document.ts'
import { bootstrap, bootstrapText, type BootstrapOptions } from '../../../src/server/process/bootstrap.ts'
import { readCredentials, writeCredentials, type Credentials } from '../../../src/server/process/credentials.ts'
import { oneDomain } from '../../platform/one-domain.ts'
import { giveToken } from '../../support/access.ts'
import { PGLITE, POSTGRES, SAMPLED_DATABASES } from '../../support/databases.ts'
import { applyAll, plan } from '../../support/domain.ts'
import { dumpTables } from '../../support/table-dump.ts'

const FROM_OUTSIDE = {
  bootstrapSecret: 'a secret from the environment',
  bootstrapPassword: 'a password from the environment',
}

const directories: string[] = []
afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true })
})

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-bootstrap-'))
  directories.push(directory)
  return directory
}

function options(dataDir: string, more: Partial<BootstrapOptions> = {}): BootstrapOptions {
  return { dataDir, bootstrapSecret: null, bootstrapPassword: null, databaseUrl: null, ...more }
}

function onPostgres(dataDir: string, more: Partial<BootstrapOptions> = {}): BootstrapOptions {
  return options(dataDir, { databaseUrl: 'postgres://somewhere', ...more })
}

/** Whether these are what signs in: as a whole, or not at all. */
async function signsIn(context: AccessContext, credentials: Credentials | null): Promise<boolean> {
  if (credentials === null) return false
  const { clientId, clientSecret, username, password } = credentials
  const client = await checkClientSecret(context, clientId, clientSecret)
  expect((await checkPassword(context, username, password)) !== null).toBe(client)
  return client
}

describe.each(SAMPLED_DATABASES)('the first start on $name', (kind) => {
  const domain = oneDomain(kind)
  let dataDir: string
  beforeEach(() => {
    dataDir = newDirectory()
  })

  test('makes a consumer and an operator, and writes down and tells how they sign in', async () => {
    const outcome = await bootstrap(domain(), options(dataDir))
    const credentials = readCredentials(dataDir)
    expect(outcome).toMatchObject({ state: 'made', made: ['clientSecret', 'password'], credentials })
    expect(await signsIn(domain(), credentials)).toBe(true)
    const client = await findClient(domain(), credentials?.clientId ?? '')
    expect(client).toMatchObject({ grantTypes: ['PASSWORD', 'REFRESH_TOKEN'], scopes: ['openid', 'service'] })
    expect(credentials?.clientId).toBe(`holdfast-cli.${client?.uuid.slice(0, 8)}`)
    const [atTerminal, elsewhere] = [bootstrapText(outcome, true), bootstrapText(outcome, false)]
    for (const secret of [credentials?.clientSecret, credentials?.password]) {
      expect(atTerminal).toContain(secret)
      expect(elsewhere).not.toContain(secret)
    }
    expect(elsewhere).toContain(`are kept in ${join(dataDir, 'credentials.json')}:`)
  })

  test('takes what the environment says, and then has nothing to tell', async () => {
    const outcome = await bootstrap(domain(), options(dataDir, FROM_OUTSIDE))
    expect(bootstrapText(outcome, true)).toBeNull()
    expect(readCredentials(dataDir)).toMatchObject({
      clientSecret: FROM_OUTSIDE.bootstrapSecret,
      password: FROM_OUTSIDE.bootstrapPassword,
    })
    expect(await signsIn(domain(), readCredentials(dataDir))).toBe(true)
  })

  test('keeps the secrets of a data directory that is older than the consumer, under its true client_id', async () => {
    const old = { clientId: 'holdfast-cli.00000000', clientSecret: 'kept', username: 'operator', password: 'kept too' }
    writeCredentials(dataDir, old)
    expect(bootstrapText(await bootstrap(domain(), options(dataDir)), true)).toBeNull()
    expect(readCredentials(dataDir)).toStrictEqual({ ...old, clientId: expect.not.stringMatching(/0{8}$/) as string })
    expect(await signsIn(domain(), readCredentials(dataDir))).toBe(true)
  })

  test('makes nothing that a plan, an import or an export knows of', async () => {
    await bootstrap(domain(), options(dataDir))
    const empty = { applicationConsumers: [], machineUsers: [] }
    expect((await plan(domain(), empty)).changes).toStrictEqual([])
    await applyAll(domain(), empty)
    expect(await exportDocument(domain(), null)).toMatchObject(empty)
    expect(await signsIn(domain(), readCredentials(dataDir))).toBe(true)
  })

  test('leaves no secret in the database', async () => {
    await bootstrap(domain(), options(dataDir))
    const { clientSecret, password } = readCredentials(dataDir) as Credentials
    const dump = JSON.stringify(await dumpTables(domain().database))
    for (const secret of [clientSecret, password]) {
      for (const text of [secret, Buffer.from(secret).toString('hex'), btoa(secret)]) expect(dump).not.toContain(text)
    }
  })

  test('is not repeated: the next one writes nothing', async () => {
    await bootstrap(domain(), options(dataDir))
    const before = [await dumpTables(domain().database), readCredentials(dataDir)]
    expect(bootstrapText(await bootstrap(domain(), options(dataDir)), true)).toBeNull()
    expect([await dumpTables(domain().database), readCredentials(dataDir)]).toStrictEqual(before)
  })

  test('is corrected by a later environment, which ends what the old password gave', async () => {
    await bootstrap(domain(), options(dataDir))
    const first = readCredentials(dataDir)
    const operator = await findAccountByLogin(domain(), 'machine', 'operator')
    const token = await giveToken(domain(), operator ?? { uuid: '' })
    expect(await identifyBearer(domain(), token)).not.toBeNull()
    await bootstrap(domain(), options(dataDir, FROM_OUTSIDE))
    expect(await signsIn(domain(), first)).toBe(false)
    expect(await signsIn(domain(), readCredentials(dataDir))).toBe(true)
    expect(readCredentials(dataDir)?.clientId).toBe(first?.clientId)
    expect(await identifyBearer(domain(), token)).toBeNull()
  })
})

describe('a database in the data directory', () => {
  const domain = oneDomain(PGLITE)

  test('follows its credentials.json, and gets new ones where that is gone', async () => {
    const dataDir = newDirectory()
    await bootstrap(domain(), options(dataDir))
    const first = readCredentials(dataDir) as Credentials
    writeCredentials(dataDir, { ...first, clientSecret: 'edited by hand', password: 'edited by hand' })
    expect(bootstrapText(await bootstrap(domain(), options(dataDir)), true)).toBeNull()
    expect(await signsIn(domain(), readCredentials(dataDir))).toBe(true)
    rmSync(join(dataDir, 'credentials.json'))
    expect((await bootstrap(domain(), options(dataDir))).state).toBe('made')
    expect(await signsIn(domain(), readCredentials(dataDir))).toBe(true)
    expect(readCredentials(dataDir)?.clientId).toBe(first.clientId)
  })

  test('has a file that is broken left alone', async () => {
    const dataDir = newDirectory()
    writeFileSync(join(dataDir, 'credentials.json'), '{}')
    await expect(bootstrap(domain(), options(dataDir))).rejects.toThrow('remove it to have new ones made')
    expect(readFileSync(join(dataDir, 'credentials.json'), 'utf8')).toBe('{}')
  })
})

describe('several servers on one database', () => {
  const domain = oneDomain(POSTGRES)

  test('with data directories of their own: the first makes the credentials, the others say where they are', async () => {
    const [first, second] = [newDirectory(), newDirectory()]
    await bootstrap(domain(), onPostgres(first))
    const before = await dumpTables(domain().database)
    const outcome = await bootstrap(domain(), onPostgres(second))
    expect(bootstrapText(outcome, true)).toBe(
      `${join(second, 'credentials.json')} was not written: another server made the credentials of its operator, and keeps them in credentials.json of its own data directory. ` +
        'Copy that file here, or set HOLDFAST_BOOTSTRAP_SECRET and HOLDFAST_BOOTSTRAP_PASSWORD for all servers to replace them',
    )
    expect(existsSync(join(second, 'credentials.json'))).toBe(false)
    expect(await dumpTables(domain().database)).toStrictEqual(before)
    writeCredentials(second, readCredentials(first) as Credentials)
    expect(bootstrapText(await bootstrap(domain(), onPostgres(second)), true)).toBeNull()
  })

  test('with another credentials.json do not overwrite what signs in; with the environment they do', async () => {
    const [first, second] = [newDirectory(), newDirectory()]
    await bootstrap(domain(), onPostgres(first))
    const foreign = { ...(readCredentials(first) as Credentials), clientSecret: 'of another', password: 'database' }
    writeCredentials(second, foreign)
    expect(bootstrapText(await bootstrap(domain(), onPostgres(second)), true)).toContain(
      'credentials.json has the credentials of another database',
    )
    expect(readCredentials(second)).toStrictEqual(foreign)
    expect(await signsIn(domain(), readCredentials(first))).toBe(true)
    await bootstrap(domain(), onPostgres(second, FROM_OUTSIDE))
    expect(await signsIn(domain(), readCredentials(second))).toBe(true)
    expect(await signsIn(domain(), readCredentials(first))).toBe(false)
  })

  test('that start at once: one makes the credentials, and whoever has its directory knows them', async () => {
    const [shared, own] = [newDirectory(), newDirectory()]
    const outcomes = await Promise.all(
      [shared, own, shared, own, shared, own].map((dataDir) => bootstrap(domain(), onPostgres(dataDir))),
    )
    const states = outcomes.map(({ state }) => state)
    expect(states.filter((state) => state === 'made')).toHaveLength(1)
    expect(states.filter((state) => state === 'known')).toHaveLength(2)
    expect(states.filter((state) => state === 'elsewhere')).toHaveLength(3)
    const files = [readCredentials(shared), readCredentials(own)].filter((file) => file !== null)
    expect(files).toHaveLength(1)
    expect(await signsIn(domain(), files[0] ?? null)).toBe(true)
  })
})
