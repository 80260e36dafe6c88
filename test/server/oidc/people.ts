import type { AccessContext } from '../../../src/platform/access/access-context.ts'
import { identifierOf } from '../../../src/platform/access/clients/clients.ts'
import type { Json, JsonObject } from '../../../src/lib/json.ts'
import { typeThatSignsIn } from '../../../src/records/registry.ts'
import { Secret } from '../../../src/records/secret.ts'
import { raiseAccessVersion, writeAccess } from '../../../src/store/domains.ts'
import { makeModelRecord } from '../../support/access.ts'

// Whoever takes part in a sign-in, made without an import: how they come about is tested elsewhere.

export const CALLBACK = 'https://app.example/callback'

export interface Consumer {
  readonly uuid: string
  readonly clientId: string
  readonly secret: string
}

export interface ConsumerOptions {
  readonly slug?: string
  readonly secret?: string
  readonly grantTypes?: readonly string[]
  readonly [field: string]: Json | undefined
}

/** One that may do everything that is not asked about here. */
export async function makeConsumer(
  access: AccessContext,
  { slug = `app-${crypto.randomUUID().slice(0, 8)}`, secret = crypto.randomUUID(), ...fields }: ConsumerOptions = {},
): Promise<Consumer> {
  const body = {
    name: `The ${slug}`,
    slug,
    status: 'ACTIVATED',
    grantTypes: ['AUTHORIZATION_CODE', 'REFRESH_TOKEN'],
    redirectUris: [CALLBACK],
    scopes: ['openid', 'email', 'profile', 'service'],
    noExplicitConsentRequired: true,
    ...fields,
  }
  const uuid = await insert(access, 'client', slug, body, secret)
  return { uuid, clientId: identifierOf({ key: slug, uuid }), secret }
}

export interface Person {
  readonly uuid: string
  readonly login: string
  readonly password: string
}

export async function makePerson(access: AccessContext, name: string | null = 'Ann Example'): Promise<Person> {
  const login = `ann-${crypto.randomUUID().slice(0, 8)}@example.org`
  const password = crypto.randomUUID()
  const uuid = await insert(access, 'person', login, { email: login, name, status: 'ACTIVATED' }, password)
  return { uuid, login, password }
}

export async function makeMachineUser(access: AccessContext): Promise<Person> {
  const login = `machine-${crypto.randomUUID().slice(0, 8)}`
  const password = crypto.randomUUID()
  const uuid = await insert(access, 'machine', login, { username: login, status: 'ACTIVATED' }, password)
  return { uuid, login, password }
}

/** Changes fields of a person, machine user or consumer. */
export async function change({ database, domain }: AccessContext, uuid: string, fields: object): Promise<void> {
  await writeAccess(database, domain.id, async (sql) => {
    await sql.query(`update records set body = body || $3::jsonb where domain_id = $1 and uuid = $2::uuid`, [
      domain.id,
      uuid,
      JSON.stringify(fields),
    ])
    // As all do that change who may do what (docs/decisions/0027).
    await raiseAccessVersion(sql, domain.id)
  })
}

type Role = Parameters<typeof typeThatSignsIn>[0]

async function insert(access: AccessContext, role: Role, key: string, body: object, secret: string): Promise<string> {
  const type = typeThatSignsIn(role)
  const hash =
    role === 'client'
      ? await access.secrets.hash(type, new Secret(secret))
      : await access.secrets.hashPassword(new Secret(secret))
  return makeModelRecord(access, { type: type.name, key }, body as JsonObject, hash)
}
