import type { Sql } from '../../../db/sql.ts'
import type { JsonObject } from '../../../lib/json.ts'
import { canonicalRecord } from '../../../records/canonical.ts'
import { keyOf } from '../../../records/identity.ts'
import type { RecordType } from '../../../records/record-type.ts'
import { typeThatSignsIn } from '../../../records/registry.ts'
import { Secret } from '../../../records/secret.ts'
import { revokeAccount } from '../../../store/access/artifacts.ts'
import { readDomain, writeDomain } from '../../../store/domains.ts'
import {
  findPlatformRecord,
  insertPlatformRecord,
  type PlatformRecord,
} from '../../../store/access/platform-records.ts'
import { saveHash } from '../../../store/access/principals.ts'
import { hashOfUnknown } from '../../secret-keeper.ts'
import type { AccessContext } from '../access-context.ts'
import { CONSOLE_SLUG, identifierOf } from '../clients/clients.ts'

// Someone must be able to sign in before there is a data model, so the platform has a consumer and a machine user of
// its own.

const CLIENT = typeThatSignsIn('client')
const MACHINE = typeThatSignsIn('machine')

export const OPERATOR = 'operator'

/** The consumer has no scopes of its own, so it may request the default ones. */
const CONSUMER_INPUT = {
  slug: 'holdfast-cli',
  name: 'Holdfast command line',
  grantTypes: ['PASSWORD', 'REFRESH_TOKEN'],
}
/**
 * Nobody knows the secret of the console: it proves with PKCE (RFC 7636) that it began the sign-in. Its redirect
 * addresses follow from the address of the domain (`src/server/oidc/clients/clients.ts`).
 */
const CONSOLE_INPUT = {
  slug: CONSOLE_SLUG,
  name: 'Holdfast console',
  grantTypes: ['AUTHORIZATION_CODE'],
  noExplicitConsentRequired: true,
  // A session of the console has all rights of the person. The token that it hands out for a first datapoint can only
  // send datapoints.
  scopes: ['openid', 'service', 'datapoints:write'],
}
const OPERATOR_INPUT = { username: OPERATOR }

export interface WantedSecret {
  readonly text: string
  /** Whether to replace a stored secret that differs. */
  readonly mayReplace: boolean
}

export interface BootstrapSecrets {
  readonly clientSecret: WantedSecret
  readonly password: WantedSecret
}

export interface Bootstrap {
  /** The client_id of the platform's own consumer. */
  readonly clientId: string
  /** Whether the wanted secrets are the ones in use. */
  readonly clientSecret: boolean
  readonly password: boolean
}

/**
 * Creates missing records, and replaces secrets if that is allowed. `secrets` and `keep` are called under the domain's
 * lock. If several servers start at once, only one makes the secrets, and it has stored them before they take effect.
 */
export async function ensureBootstrap(
  context: AccessContext,
  secrets: () => BootstrapSecrets,
  keep: (made: Bootstrap) => void,
): Promise<Bootstrap> {
  return writeDomain(context.database, context.domain.id, async (sql) => {
    const { clientSecret, password } = secrets()
    const consumer = await ensureRecord(sql, context, CLIENT, CONSUMER_INPUT, clientSecret)
    const operator = await ensureRecord(sql, context, MACHINE, OPERATOR_INPUT, password)
    await ensureConsole(sql, context)
    const made = {
      clientId: identifierOf(consumer.record),
      clientSecret: consumer.isSecretRight,
      password: operator.isSecretRight,
    }
    keep(made)
    return made
  })
}

async function ensureConsole(sql: Sql, context: AccessContext): Promise<void> {
  const existing = await findConsole(sql, context.domain.id)
  if (existing !== null) return
  const record = newRecord(context, CLIENT, CONSOLE_INPUT, hashOfUnknown())
  await insertPlatformRecord(sql, context.domain.id, record)
}

function findConsole(sql: Sql, domainId: number): Promise<PlatformRecord | null> {
  return findPlatformRecord(sql, domainId, { type: CLIENT.name, key: keyOf(CLIENT, CONSOLE_INPUT) })
}

/** The client_id of the console; null if no server has started for the domain yet. */
export async function consoleClientId({ database, domain }: AccessContext): Promise<string | null> {
  const record = await readDomain(database, domain.id, (sql) => findConsole(sql, domain.id))
  return record === null ? null : identifierOf(record)
}

async function ensureRecord(
  sql: Sql,
  context: AccessContext,
  type: RecordType,
  input: JsonObject,
  wanted: WantedSecret,
): Promise<{ readonly record: PlatformRecord; readonly isSecretRight: boolean }> {
  const { domain, secrets } = context
  const secret = new Secret(wanted.text)
  const existing = await findPlatformRecord(sql, domain.id, { type: type.name, key: keyOf(type, input) })
  if (existing === null) {
    const record = newRecord(context, type, input, await secrets.hash(type, secret))
    await insertPlatformRecord(sql, domain.id, record)
    return { record, isSecretRight: true }
  }
  if (await secrets.check(type, secret, existing.hash)) return { record: existing, isSecretRight: true }
  if (!wanted.mayReplace) return { record: existing, isSecretRight: false }
  await saveHash(sql, domain.id, { ...existing, isOfModel: false }, await secrets.hash(type, secret))
  await revokeAccount(sql, domain.id, existing.uuid)
  return { record: existing, isSecretRight: true }
}

function newRecord(context: AccessContext, type: RecordType, input: JsonObject, hash: string): PlatformRecord {
  const { body } = canonicalRecord(type, input, () => undefined)
  return { uuid: context.newId(), type: type.name, key: keyOf(type, input), body, hash, createdAt: context.now() }
}
