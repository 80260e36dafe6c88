import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ruleDigest } from '../../src/auth/token-rules.ts'
import { openPostgres } from '../../src/db/postgres/postgres.ts'
import { findAccountByLogin } from '../../src/platform/access/accounts/accounts.ts'
import { createDelegatedMethod, deleteMethod, updateMethod } from '../../src/platform/access/methods/methods.ts'
import { NO_SETTINGS } from '../../src/records/settings.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { giveToken, makeMachine, type TokenOptions } from '../support/access.ts'
import { createPostgresDatabase, type PostgresDatabase } from '../support/databases.ts'
import { MIGRATED_TEMPLATE } from '../support/global-setup.ts'
import { applyAll } from '../support/domain.ts'
import { makeSite, type Site } from '../support/site.ts'
import { applying, type Ask } from './applying.ts'
import { startTestServer, type GraphqlAnswer, type TestServer } from './test-server.ts'
import { countWaiting } from '../support/lock-waits.ts'

// A request may wait for the domain for as long as an apply takes. When its turn comes, it is refused where its sender has
// lost the right to it meanwhile, in whatever way that was taken.

let postgres: PostgresDatabase
let server: TestServer
let context: DomainContext
let site: Site
beforeAll(async () => {
  postgres = await createPostgresDatabase(MIGRATED_TEMPLATE)
  server = await startTestServer(await openPostgres(postgres.url, { maxConnections: 6 }))
  context = { ...server.access[0]!, actorName: 'tester' }
  site = await makeSite(context)
  for (const alias of ['north', 'south'])
    await server.data(`mutation { createOrganization(input: { alias: "${alias}", name: "${alias}" }) { uuid } }`)
})
afterAll(async () => {
  await server.close()
  await postgres.drop()
})

/** Holds the domain for as long as this begins requests that wait for it. */
async function holding<T>(begin: () => Promise<T>): Promise<T> {
  const holder = await openPostgres(postgres.url, { maxConnections: 1 })
  const begun = await holder.transaction(async (sql) => {
    await sql.query('select domain_id from domain_state where domain_id = $1 for update', [context.domain.id])
    return begin()
  })
  await holder.close()
  return begun
}

async function untilWaiting(count: number): Promise<void> {
  await expect.poll(() => countWaiting(context.database), { interval: 20 }).toBe(count)
}

/** Both wait for the domain, and come one after the other. */
async function oneBehindTheOther<T>(first: () => Promise<unknown>, second: () => Promise<T>): Promise<T> {
  const requests = await holding(async () => {
    const one = first()
    await untilWaiting(1)
    const other = second()
    await untilWaiting(2)
    return { one, other }
  })
  await requests.one
  return requests.other
}

/** The request waits for the domain while something is changed that does not. */
async function meanwhile<T>(change: () => Promise<unknown>, request: () => Promise<T>): Promise<T> {
  const begun = await holding(async () => {
    const waits = request()
    await untilWaiting(1)
    await change()
    return { waits }
  })
  return begun.waits
}

interface Person {
  readonly email: string
  readonly ask: Ask
}

/** Somebody of the organization `north`, with these grants. */
async function personWith(...grants: readonly string[]): Promise<Person> {
  const email = `${crypto.randomUUID()}@example.org`
  await server.data(`mutation { createUser(input: { email: "${email}", organization: { alias: "north" } }) { uuid } }`)
  for (const grant of grants)
    await server.data(`mutation { createGrant(input: { ${grant.replace('OWN', `user: "${email}"`)} }) { key } }`)
  const account = await findAccountByLogin(context, 'person', email)
  return { email, ask: await askingAs(account ?? { uuid: '' }) }
}

async function askingAs(account: { readonly uuid: string }, options: TokenOptions = {}): Promise<Ask> {
  const authorization = `Bearer ${await giveToken(context, account, options)}`
  return async (query, variables = {}) =>
    (await server.call({ authorization, body: JSON.stringify({ query, variables }) })).json as GraphqlAnswer
}

const all: Ask = async (query, variables) => ({
  data: await server.data<{ [field: string]: unknown }>(query, variables),
})

const REFUSED = { errors: [{ extensions: { code: 'FORBIDDEN' } }] }
const APPOINT = 'mutation { createGrant(input: { role: ADMINISTRATOR, everyone: MACHINE_USERS }) { key } }'
const ADMINISTRATOR = 'role: ADMINISTRATOR, OWN'
const EDITOR = 'role: EDITOR, OWN'

async function allGrants(): Promise<readonly { readonly user?: string }[]> {
  return (await server.data<{ accessDocument: { user?: string }[] }>('{ accessDocument }')).accessDocument
}

async function grantsWithout(email: string): Promise<readonly object[]> {
  return (await allGrants()).filter(({ user }) => user !== email)
}

/** Each of these takes away the role that a person has of their own. */
const TAKEN: { readonly [how: string]: (person: Person, role: string) => Promise<() => Promise<unknown>> } = {
  'by its deletion': ({ email }, role) =>
    Promise.resolve(() => server.data(`mutation { deleteGrant(key: "${role}/user/${email}") { key } }`)),
  'by an import': async ({ email }) => applying(all, { document: {}, access: await grantsWithout(email) }),
  'by the roll-back of its import': async ({ email }, role) => {
    const access = await grantsWithout(email)
    await server.data(`mutation { deleteGrant(key: "${role}/user/${email}") { key } }`)
    const given = await applying(all, { document: {}, access: [...access, { role, user: email }] })
    const apply = ((await given()).data as { applyImport: { uuid: string } }).applyImport.uuid
    const { rollbackPlan } = await server.data<{ rollbackPlan: { json: object } }>(
      'query ($apply: ID!) { rollbackPlan(apply: $apply) { json } }',
      { apply },
    )
    return () =>
      server.data(
        `mutation ($plan: JSON!, $origin: ApplyOriginInput) {
          applyImport(document: {}, plan: $plan, origin: $origin) { uuid } }`,
        { plan: rollbackPlan.json, origin: { rollbackOf: apply } },
      )
  },
  'by the end of the account': ({ email }) =>
    Promise.resolve(() =>
      server.data(`mutation { updateUser(email: "${email}", input: { status: ARCHIVED }) { uuid } }`),
    ),
}

describe.each(Object.entries(TAKEN))('where a right is taken away %s', (_, take) => {
  it('an administrator who waits grants nothing', async () => {
    const person = await personWith(ADMINISTRATOR)
    const taking = await take(person, 'administrator')
    expect(await oneBehindTheOther(taking, () => person.ask(APPOINT))).toMatchObject(REFUSED)
  })

  it('an editor who waits applies nothing', async () => {
    const person = await personWith(EDITOR)
    const taking = await take(person, 'editor')
    const apply = await applying(person.ask, { document: { services: [{ code: 'late', name: 'Late' }] } })
    expect(await oneBehindTheOther(taking, apply)).toMatchObject(REFUSED)
    expect(await server.data('{ service(code: "late") { uuid } }')).toStrictEqual({ service: null })
  })
})

describe('an operation that waits is refused where its sender was moved to another organization', () => {
  it.each([
    ['createGrant', 'role: ADMINISTRATOR, organization: "north"', () => APPOINT],
    [
      'createDataSource',
      'role: EDITOR, organization: "north"',
      () => 'mutation { createDataSource(input: { code: "a", name: "A" }) { uuid } }',
    ],
    [
      'createSystem',
      'role: EDITOR, everyone: USERS, withinOwnOrganization: true',
      () => 'mutation { createSystem(input: { name: "Late", organizationUnit: "north" }) { uuid } }',
    ],
    [
      'setRetention',
      'role: EDITOR, organization: "north"',
      () => 'mutation { setRetention(keep: "P9Y") { datapoints } }',
    ],
    [
      'createSystemCredential',
      'role: ADMINISTRATOR, organization: "north"',
      () => `mutation { createSystemCredential(system: "${site.systemUuid}") { username } }`,
    ],
    [
      'createPasswordLink',
      'role: ADMINISTRATOR, organization: "north"',
      () => `mutation { createPasswordLink(email: "heir@example.org") { path } }`,
    ],
  ])('%s', async (_, grant, query) => {
    const key = (
      await server.data<{ createGrant: { key: string } }>(`mutation { createGrant(input: { ${grant} }) { key } }`)
    ).createGrant.key
    const { email, ask } = await personWith()
    const move = `mutation { updateUser(email: "${email}", input: { organization: { alias: "south" } }) { uuid } }`
    expect(
      await oneBehindTheOther(
        () => server.data(move),
        () => ask(query()),
      ),
    ).toMatchObject(REFUSED)
    await server.data('mutation ($key: String!) { deleteGrant(key: $key) { key } }', { key })
  })
})

const removalOf = ({ email }: Person) => `mutation { deleteGrant(key: "administrator/user/${email}") { key } }`

it('of two administrators who remove each other at once one stays', async () => {
  const [one, other] = [await personWith(ADMINISTRATOR), await personWith(ADMINISTRATOR)]
  const answer = await oneBehindTheOther(
    () => one.ask(removalOf(other)),
    () => other.ask(removalOf(one)),
  )
  expect(answer).toMatchObject(REFUSED)
  expect(await allGrants()).toContainEqual({ role: 'administrator', user: one.email })
})

it('what waits for others is done where others have lost their rights', async () => {
  const [editor, other] = [await personWith(EDITOR), await personWith(EDITOR)]
  const answer = await oneBehindTheOther(
    () => server.data(`mutation { deleteGrant(key: "editor/user/${other.email}") { key } }`),
    () => editor.ask('mutation { createDataSource(input: { code: "mine", name: "Mine" }) { code } }'),
  )
  expect(answer).toStrictEqual({ data: { createDataSource: { code: 'mine' } } })
})

function ruleOf(machineUser: string | null) {
  const name = machineUser ?? 'people'
  return { name, claims: { sub: name }, machineUser, scopes: ['service'] }
}

describe('what waits is refused where the method by which its sender came in lets nobody in any more', () => {
  const ENDS: { readonly [how: string]: (uuid: string) => Promise<unknown> } = {
    'its rule is removed': (uuid) => updateMethod(context, uuid, { configuration: { rules: [ruleOf('other')] } }),
    'it is DEACTIVATED': (uuid) => updateMethod(context, uuid, { status: 'DEACTIVATED' }),
    'it is deleted': (uuid) => deleteMethod(context, uuid),
  }

  it.each(Object.entries(ENDS))('%s', async (_, end) => {
    const login = crypto.randomUUID()
    const person = await findAccountByLogin(context, 'person', (await personWith(EDITOR)).email)
    const accounts = [
      [login, await makeMachine(context, login)],
      [null, person ?? { uuid: '' }],
    ] as const
    for (const [machineUser, account] of accounts) {
      const { uuid, configuration } = await createDelegatedMethod(context, {
        status: 'ACTIVATED',
        configuration: {
          clientId: 'holdfast',
          issuer: `https://${crypto.randomUUID()}.example`,
          rules: [ruleOf(login), ruleOf(null)],
        },
      })
      const rule = configuration.rules.find((one) => one.machineUser === machineUser) ?? null
      const ask = await askingAs(account, { methodUuid: uuid, payload: { rule: ruleDigest(rule) } })
      const code = crypto.randomUUID()
      const query = `mutation { createDataSource(input: { code: "${code}", name: "A" }) { code } }`
      expect(
        await meanwhile(
          () => end(uuid),
          () => ask(query),
        ),
      ).toMatchObject(REFUSED)
    }
  })
})

const LATE = 'mutation { createSystem(input: { name: "Late", organizationUnit: "north" }) { name } }'
const DONE = { data: { createSystem: { name: 'Late' } } }
const WITHIN = { role: 'editor', within: 'north' }
it.each([
  ['may do more meanwhile', [WITHIN], { role: 'editor' }],
  ['has lost a role that another one covers', [WITHIN, { role: 'viewer', within: 'south' }], WITHIN],
])('what waits is done where its sender %s', async (_, before, now) => {
  const grants = before.map(({ role, within }) => `role: ${role.toUpperCase()}, OWN, within: "${within}"`)
  const { email, ask } = await personWith(...grants)
  const access = [...(await grantsWithout(email)), { ...now, user: email }]
  const change = await applying(all, { document: {}, access })
  expect(await oneBehindTheOther(change, () => ask(LATE))).toStrictEqual(DONE)
})

const CELLAR = { alias: 'cellar', name: 'Cellar' }
const MOVED = [{ type: 'organizations', from: 'north/cellar', to: 'south/cellar' }] as const
const organization = (alias: string, units: readonly object[]) => ({ alias, name: alias, organizationUnits: units })

it.each([
  ['done where a unit below that of its sender is deleted', [], [], DONE],
  ['refused where a unit below that of its sender comes to another organization', [CELLAR], MOVED, REFUSED],
])('what waits is %s', async (_, south, moved, expected) => {
  await applyAll(context, { organizations: [organization('north', [CELLAR]), organization('south', [])] })
  const { ask } = await personWith('role: EDITOR, OWN, within: "north"')
  const document = { organizations: [organization('north', []), organization('south', south)] }
  const change = () => applyAll(context, document, { ...NO_SETTINGS, moved })
  expect(await oneBehindTheOther(change, () => ask(LATE))).toMatchObject(expected)
})
