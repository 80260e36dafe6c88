import type { Database } from '../../src/db/sql.ts'
import { GrantKeeper } from '../../src/platform/access/grants/grant-keeper.ts'
import { externalProviders } from '../../src/platform/access/delegated/provider/external-providers.ts'
import { DataKey } from '../../src/platform/data-key.ts'
import { SecretKeeper } from '../../src/platform/secret-keeper.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { planImport } from '../../src/platform/imports/planning/plan-import.ts'
import { applyImport } from '../../src/platform/imports/applying/apply-import.ts'
import type { ApplyOrigin } from '../../src/platform/imports/applying/apply-origin.ts'
import type { Apply } from '../../src/platform/imports/history/applies.ts'
import { allChanges, allRows, type Plan } from '../../src/plan/plan.ts'
import { NO_SETTINGS, type Acknowledgement, type Settings } from '../../src/records/settings.ts'
import { ensureDomain, raiseAccessVersion } from '../../src/store/domains.ts'
import { validPlan } from './valid-plan.ts'

const now = () => new Date()

const KEY = new Uint8Array(32).fill(7)

/** A domain on a migrated database, for calls of the platform's operations. */
export async function makeDomain(database: Database, slug = 'local', actor = 'tester'): Promise<DomainContext> {
  const domain = await database.transaction((sql) =>
    ensureDomain(sql, { uuid: crypto.randomUUID(), slug, name: slug, hostNames: [`${slug}.example.org`] }),
  )
  return {
    database,
    domain,
    actorName: actor,
    now,
    newId: () => crypto.randomUUID(),
    secrets: new SecretKeeper(KEY, now),
    key: new DataKey(KEY),
    external: externalProviders({ allowedOrigins: [], now }),
    grants: new GrantKeeper(database),
  }
}

/** Every table that has rows of a domain. */
const TABLES = [
  'datapoint_blocks',
  'datapoint_chunks',
  'refused_datapoints',
  'system_arrivals',
  'idempotency_keys',
  'series',
  'retentions',
  'lost_series',
  'erased_ranges',
  'deletions',
  'system_credentials',
  'unique_metadata',
  'setpoints',
  'events',
  'components',
  'systems',
  'record_references',
  'record_secrets',
  'records',
  'record_drift',
  'applies',
  'apply_changes',
  'kept_plan_parts',
  'kept_plans',
  'apply_secrets',
  'outbox',
  'outbox_numbers',
  'platform_records',
  'authentication_methods',
  'access_settings',
  'external_identities',
  'artifacts',
  'ended_artifacts',
  'sign_in_failures',
  'sign_in_places',
  'signing_keys',
  'password_links',
]

/**
 * Removes everything that belongs to a domain. That is cheaper than a new database for each of thousands of cases.
 * Versions never decrease, because caches may remember data by them.
 */
export async function emptyDomain({ database, domain }: DomainContext): Promise<void> {
  const deletes = TABLES.map((table) => `delete from ${table} where domain_id = ${domain.id};`)
  await database.script(
    `${deletes.join('\n')} update domain_state set managed_types = '{}', type_owners = null where domain_id = ${domain.id}`,
  )
  await database.transaction((sql) => raiseAccessVersion(sql, domain.id))
}

/** Acknowledges every guard that stops this plan. */
export function acknowledging(plan: Plan, settings: Settings = NO_SETTINGS): Settings {
  const digest = plan.access.diff?.digest
  const scope = allRows(plan).flatMap(({ type, guards }) =>
    guards.map(({ code }): Acknowledgement => ({ code, type, ...(code === 'widens-access' && digest && { digest }) })),
  )
  const changes = allChanges(plan).flatMap(({ type, key, guards }) =>
    guards.map(({ code }): Acknowledgement => ({ code, type, key })),
  )
  return { ...settings, acknowledge: [...settings.acknowledge, ...scope, ...changes] }
}

export async function plan(context: DomainContext, document: object, settings: Settings = NO_SETTINGS): Promise<Plan> {
  return validPlan((await planImport(context, document, settings)).plan)
}

/** Plans and applies, and acknowledges every guard. An acknowledgement does not change the digest of a plan. */
export async function applyAll(
  context: DomainContext,
  document: object,
  settings: Settings = NO_SETTINGS,
  origin: ApplyOrigin = {},
): Promise<Apply> {
  const reviewed = await plan(context, document, settings)
  return applyImport(context, { document, settings: acknowledging(reviewed, settings), plan: reviewed, origin })
}
