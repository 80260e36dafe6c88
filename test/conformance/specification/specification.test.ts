import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DomainContext } from '../../../src/platform/domain-context.ts'
import { startSignIn, type SignInServer } from '../../server/oidc/sign-in-server.ts'
import { startTestServer, type TestServer } from '../../server/test-server.ts'
import { makeAnySite } from '../../support/any-site.ts'
import { startCompany, type Company } from '../../support/company.ts'
import { ANY_DATABASE } from '../../support/databases.ts'
import type { Database } from '../../../src/db/sql.ts'
import { golden } from '../../support/golden.ts'
import { deviationsPage } from './deviations-page.ts'
import { DEVICE } from './device.ts'
import type { World } from './statement.ts'
import { STATEMENTS } from './statements.ts'

let world: World
let database: Database
let signIn: SignInServer
let server: TestServer
let company: Company

beforeAll(async () => {
  company = await startCompany()
  database = await ANY_DATABASE.openMigrated()
  signIn = await startSignIn(database, { allowedIssuers: [company.issuer] })
  server = await startTestServer(await ANY_DATABASE.openMigrated())
  const [, second] = server.access
  if (second === undefined) throw new Error('there is no second domain')
  const context: DomainContext = { ...second, actorName: 'tester' }
  world = { server, signIn, company, site: await makeAnySite(context, DEVICE) }
})
afterAll(async () => {
  await Promise.all([signIn.close(), server.close()])
  await database.close()
  company.close()
})

describe.each([...Map.groupBy(STATEMENTS, ({ section }) => section)])('%s', (_, statements) => {
  it.each(statements.map((statement) => [statement.says, statement] as const))('%s', async (_says, { sent, comes }) => {
    expect(await sent(world)).toMatchObject(comes as object)
  })
})

it('docs/specification.md has what deviates', () => {
  const page = new URL('../../../docs/specification.md', import.meta.url)
  const part = /(?<=<!-- statements -->\n\n)[^]*?(?=\n\n<!-- end of statements -->)/
  const actual = readFileSync(page, 'utf8').replace(part, () => deviationsPage(STATEMENTS))
  expect(golden(page, actual)).toBe(actual)
})
