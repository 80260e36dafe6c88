import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../../src/config.ts'
import { openPostgres } from '../../../src/db/postgres/postgres.ts'
import type { Database } from '../../../src/db/sql.ts'
import { HoldfastError } from '../../../src/lib/errors.ts'
import { bootstrap } from '../../../src/server/process/bootstrap.ts'
import { startPlatform } from '../../../src/server/process/start-platform.ts'
import { accessContext } from '../../../src/server/request-context.ts'
import { startPostgres, type PostgresServer } from '../../support/postgres-server.ts'
import { selfSigned } from '../../support/self-signed.ts'

// A PostgreSQL server as people set it up: with TLS, passwords, several users, and rights that are not enough.

const SETUP = `
  CREATE ROLE locked LOGIN PASSWORD 'right' CREATEROLE;
  CREATE ROLE over_tls LOGIN CREATEROLE;
  CREATE ROLE "plain user" LOGIN;
  CREATE ROLE second LOGIN CREATEROLE;
  CREATE ROLE third LOGIN CREATEROLE`
const DATABASES = [
  'first OWNER over_tls',
  '"plain base" OWNER "plain user"',
  'of_second OWNER second',
  'of_nobody',
  `latin ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0`,
]
const ACCESS = `hostssl all over_tls all trust
host all over_tls all reject
host all locked all scram-sha-256`

const directory = mkdtempSync(join(tmpdir(), 'holdfast-first-'))
const authority = join(directory, 'ca.pem')
const other = join(directory, 'other.pem')
let server: PostgresServer
let admin: Database
beforeAll(async () => {
  const tls = selfSigned('127.0.0.1')
  writeFileSync(authority, tls.cert)
  writeFileSync(other, selfSigned('127.0.0.1').cert)
  server = await startPostgres({ tls, access: ACCESS })
  admin = await openPostgres(`${server.url}/postgres`, { maxConnections: 1 })
  await admin.script(SETUP)
  for (const one of DATABASES) await admin.script(`CREATE DATABASE ${one}`)
})
afterAll(async () => {
  await admin.close()
  await server.stop()
  rmSync(directory, { recursive: true })
})

function address(user: string, database: string): string {
  return `${server.url.replace('postgres@', `${user}@`)}/${database}`
}

/** The first start up to where the server would listen; tells where the credentials are. */
async function start(url: string, dataDir = mkdtempSync(join(directory, 'data-'))): Promise<string> {
  const env = { DATABASE_URL: url, HOLDFAST_KEY: 'ab'.repeat(32), HOLDFAST_DATA_DIR: dataDir }
  const config = readConfig(env, directory)
  const platform = await startPlatform(config)
  try {
    await bootstrap(accessContext(platform, platform.domain), config)
    return join(dataDir, 'credentials.json')
  } finally {
    await platform.close()
  }
}

/** What a person reads. Any other error would be "something went wrong that should not". */
async function refusal(url: string, dataDir?: string): Promise<string> {
  const error = await start(url, dataDir).then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(HoldfastError)
  expect(error).not.toMatchObject({ code: 'INTERNAL' })
  return (error as HoldfastError).message
}

describe('the first start on PostgreSQL says what is wrong and what to do', () => {
  it.each([
    [
      'a wrong password',
      'locked:wrong%40',
      'first',
      '',
      /password authentication failed.*Check user and password in DA/,
    ],
    ['no password', 'locked', 'first', '', /asks for a password, and DATABASE_URL has none/],
    ['no such database', 'second', 'nowhere', '', /database "nowhere" does not exist\. Create it in UTF8, owned by/],
    ['no such user', 'stranger', 'first', '', /role "stranger" does not exist\. See whether PostgreSQL has this user/],
    [
      'a server that demands TLS',
      'over_tls',
      'first',
      '',
      /no encryption\. .*add \?sslmode=verify-full to DATABASE_URL/,
    ],
    [
      'an unknown authority',
      'over_tls',
      'first',
      '?sslmode=verify-full',
      /self-signed.*&sslrootcert=\/path\/to\/ca\.pem/,
    ],
    [
      'another authority',
      'over_tls',
      'first',
      `?sslmode=verify-full&sslrootcert=${other}`,
      /self-signed.*&sslrootcert=/,
    ],
    [
      'a file that is not there',
      'over_tls',
      'first',
      '?sslrootcert=/nowhere/ca.pem',
      /ENOENT.*names this file by sslroot/,
    ],
    [
      'another encoding',
      'postgres',
      'latin',
      '',
      /has the encoding LATIN1; UTF8 is needed\. Create another one: create/,
    ],
  ])('%s', async (_, user, database, more, message) => {
    expect(await refusal(address(user, database) + more)).toMatch(message)
  })

  it('a name that is not in the certificate', async () => {
    const url = address('over_tls', 'first').replace('127.0.0.1', 'localhost')
    expect(await refusal(`${url}?sslmode=verify-full&sslrootcert=${authority}`)).toMatch(
      /Hostname.*Use a host name from the certificate of the server in DATABASE_URL/,
    )
  })

  it.runIf(process.platform === 'linux')(
    'a data directory that cannot be written: nothing is kept, and another one will do',
    async () => {
      const url = `${address('over_tls', 'first')}?sslmode=verify-full&sslrootcert=${authority}`
      const blocked = '/proc/holdfast'
      expect(await refusal(url, blocked)).toBe(
        `cannot write ${blocked}/credentials.json: the directory does not exist and cannot be created; let this user read and write the data directory, or name another one by HOLDFAST_DATA_DIR`,
      )
      expect(readFileSync(await start(url), 'utf8')).toContain('"client_secret"')
      // Once the credentials are kept elsewhere, nobody has to write here.
      await start(url, blocked)
    },
  )

  it.each([
    [
      'CREATEROLE',
      '"plain user"',
      'plain%20user',
      'plain%20base',
      ['alter role "plain user" createrole;', 'grant holdfast_domain to "plain user" with admin option;'],
    ],
    [
      'the role, which another Holdfast has made',
      'second',
      'second',
      'of_second',
      ['grant holdfast_domain to second with admin option;'],
    ],
    [
      'the database',
      'third',
      'third',
      'of_nobody',
      ['grant holdfast_domain to third with admin option;', 'alter database of_nobody owner to third;'],
    ],
  ])(
    'a user without %s: it prints what an administrator has to run, and that is enough',
    async (_, _name, user, database, statements) => {
      const message = await refusal(address(user, database))
      expect(message).toMatch(/^The user of the database lacks rights that Holdfast needs: permission denied/)
      expect(message.split('\n').slice(1)).toEqual(statements)
      for (const statement of statements) await admin.script(statement)
      expect(readFileSync(await start(address(user, database)), 'utf8')).toContain('"client_secret"')
    },
  )

  it('tables of another user', async () => {
    const message = await refusal(address('second', 'first'))
    const statements = message.split('\n').slice(1)
    expect(statements.at(-1)).toBe('reassign owned by over_tls to second;')
    const there = await openPostgres(`${server.url}/first`, { maxConnections: 1 })
    for (const statement of statements) await there.script(statement)
    await there.close()
    await start(address('second', 'first'))
  })

  it('a standby', async () => {
    await admin.close()
    await server.asStandby()
    expect(await refusal(address('second', 'of_second'))).toMatch(/is a standby.*Name the primary in DATABASE_URL/)
  })
})
