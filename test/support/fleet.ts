import { UUID } from '../../src/db/columns.ts'
import type { Sql } from '../../src/db/sql.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { enterDomain } from '../../src/store/domains.ts'
import { boundTo } from '../../src/store/model/units.ts'
import { SAMPLED_DATABASES, POSTGRES, type DatabaseKind } from './databases.ts'
import { applyAll, makeDomain } from './domain.ts'
import { rowsRead } from './rows-read.ts'
import { SITE_MODEL } from './site.ts'

// A domain of equal things: systems of one organization, with components of one model, and series of one service and
// characteristic. A statement that names one of them should read few rows, even if it also names the model.

/** The number of things of each kind. */
export const MANY = 2_000
/**
 * The most rows of all tables that a statement may read to find one of them. With statistics, plans of about the same
 * cost read between ten and thirty rows.
 */
export const FEW = 40

const PREFIXES = {
  system: 'a0000000',
  component: 'b0000000',
  pending: 'c0000000',
  applied: 'd0000000',
  event: 'e0000000',
  refused: 'f0000000',
  user: 'a1000000',
  device: 'b1000000',
  shadow: 'c1000000',
  identity: 'd1000000',
  stranger: 'e1000000',
  apply: 'f1000000',
  characteristic: 'a2000000',
} as const
type Kind = keyof typeof PREFIXES

/** The uuid of one of them. */
export function uuidOf(kind: Kind, number = 42): string {
  return `${PREFIXES[kind]}-0000-4000-8000-${String(number).padStart(12, '0')}`
}

const uuid = (kind: Kind) => `('${PREFIXES[kind]}-0000-4000-8000-' || lpad(i::text, 12, '0'))::uuid`
const eachOf = (many: number): string => `from generate_series(1, ${many}) i`
/** A value that no other component has. */
const SERIAL = `jsonb_build_array(jsonb_build_object('key', 'serial', 'value', jsonb_build_object('string', 'S-' || i)))`

/** The rows that the statements may see. With `no domain`, the owner of the tables runs them. */
export type Within = 'all' | 'the unit' | 'no domain'

export interface Fleet {
  readonly context: DomainContext
  /** The uuids of the records that all have in common. */
  readonly unit: string
  /** The uuid of an organization that has no system. */
  readonly small: string
  readonly service: string
  readonly characteristic: string
  readonly model: string
  readonly eventModel: string
  /** The number of rows that the statements of `work` read. They leave no changes. `first` runs before them. */
  looksAt(
    ask: (sql: Sql, domainId: number) => Promise<unknown>,
    within?: Within,
    first?: (sql: Sql) => Promise<void>,
  ): Promise<number>
}

/** Each database before it has statistics, and PostgreSQL with statistics. PGlite never gathers any by itself. */
export const FLEETS = [
  ...SAMPLED_DATABASES.map((kind) => ({ ...kind, statistics: 'without statistics', analyze: '' })),
  { ...POSTGRES, statistics: 'with statistics', analyze: 'analyze' },
]

export async function makeFleet(
  { openMigrated, analyze }: Pick<DatabaseKind, 'openMigrated'> & { readonly analyze: string },
  many = MANY,
): Promise<Fleet> {
  const each = eachOf(many)
  const database = await openMigrated()
  const context = await makeDomain(database)
  await applyAll(context, {
    ...SITE_MODEL,
    eventModels: [
      { code: 'alarm', eventType: 'RANGED', entityType: 'COMPONENT', eventLevel: 'ERROR', message: 'Alarm' },
    ],
    organizations: [
      { name: 'Company', alias: 'company' },
      { name: 'Small', alias: 'small', organizationUnits: [{ name: 'East', alias: 'east' }] },
    ],
    users: [{ email: 'somebody@example.org', organization: { alias: 'company' } }],
  })
  const domainId = context.domain.id
  const recordOf = async (type: string, key: string): Promise<string> => {
    const named = `select uuid from records where domain_id = $1 and type = $2 and key = $3`
    const [row] = await database.rows({ uuid: UUID }, named, [domainId, type, key])
    return row?.uuid ?? ''
  }
  const common = {
    unit: await recordOf('organizations', 'company'),
    small: await recordOf('organizations', 'small'),
    service: await recordOf('services', 'room'),
    characteristic: await recordOf('characteristics', 'temperature'),
    model: await recordOf('componentModels', 'sensor'),
    eventModel: await recordOf('eventModels', 'alarm'),
  }
  // References are known to be right, and checking them takes half of the time.
  await database.script(
    `set session_replication_role = replica; ${systemsOf(domainId, common, each)} ${recordsOf(domainId, common, each)}
     ${accessOf(domainId, each)} reset session_replication_role; ${analyze}`,
  )
  return {
    context,
    ...common,
    async looksAt(ask, within = 'all', first = () => Promise.resolve()) {
      let rows = Number.NaN
      const bound = boundTo(database, within === 'the unit' ? [common.unit] : null)
      await database
        .transaction(async (sql) => {
          if (within !== 'no domain') await enterDomain(sql, domainId, bound)
          await first(sql)
          rows = await rowsRead(sql, '', (one) => ask(one, domainId))
          throw new Error(LEFT)
        })
        .catch((error: unknown) => {
          if (!(error instanceof Error) || error.message !== LEFT) throw error
        })
      return rows
    },
  }
}

const LEFT = 'nothing shall be left behind'

type Common = Pick<Fleet, 'unit' | 'service' | 'characteristic' | 'model' | 'eventModel'>

function systemsOf(id: number, { unit, service, characteristic, model, eventModel }: Common, each: string): string {
  const setpoint = (kind: 'pending' | 'applied', state: string) => `
    insert into setpoints (domain_id, uuid, system_uuid, component_uuid, service_uuid, characteristic_uuid, unit_uuid,
      value, state, actor, set_at, created_at, changed_at)
    select ${id}, ${uuid(kind)}, ${uuid('system')}, ${uuid('component')}, '${service}', '${characteristic}', '${unit}',
      '1', '${state}', 'tester', now(), now(), now() ${each};`
  return `
    insert into systems (domain_id, uuid, name, status, unit_uuid, metadata, created_at, updated_at)
    select ${id}, ${uuid('system')}, 'System ' || i, 'ACTIVATED', '${unit}', ${SERIAL}, now(), now() ${each};
    insert into components (domain_id, uuid, system_uuid, model_uuid, unit_uuid, name, status, metadata, created_at,
      updated_at)
    select ${id}, ${uuid('component')}, ${uuid('system')}, '${model}', '${unit}', 'Component ' || i, 'ACTIVATED', ${SERIAL},
      now(), now() ${each};
    insert into series (domain_id, id, system_uuid, component_uuid, service_uuid, characteristic_uuid, unit_uuid,
      value_kind, created_at)
    select ${id}, i, ${uuid('system')}, ${uuid('component')}, '${service}', '${characteristic}', '${unit}', 'float', now()
    ${each};
    ${setpoint('pending', 'PENDING')} ${setpoint('applied', 'APPLIED')}
    insert into events (domain_id, uuid, model_uuid, system_uuid, component_uuid, unit_uuid, begins_at, metadata, actor,
      created_at)
    select ${id}, ${uuid('event')}, '${eventModel}', ${uuid('system')}, ${uuid('component')}, '${unit}',
      now() - i * interval '1 minute', ${SERIAL}, 'tester', now() ${each};
    insert into refused_datapoints (domain_id, uuid, code, system_uuid, unit_uuid, component_uuid, service_uuid,
      characteristic_uuid, sender, is_rest, count, first_at, last_at)
    select ${id}, ${uuid('refused')}, 'OUT_OF_RANGE', ${uuid('system')}, '${unit}', ${uuid('component')}, '${service}',
      '${characteristic}', 'sender', false, 1, now(), now() ${each};
    insert into system_arrivals (domain_id, system_uuid, unit_uuid, last_at, quarter, counts)
    select ${id}, ${uuid('system')}, '${unit}', now(), 1, '{1}' ${each};
    insert into datapoint_blocks (domain_id, block, generation, t0, t1, arrived_at, level, count, series, points)
    select ${id}, 1000 + i, i, 0, 0, 0, 0, 1, '', '' ${each};
    insert into unique_metadata (domain_id, entity, key, value_hash, holder_uuid)
    select ${id}, 'SYSTEM', 'contract', sha256(convert_to(i::text, 'UTF8')), ${uuid('system')} ${each};
    insert into outbox (domain_id, topic, uuids, number) select ${id}, 'events', array[${uuid('event')}], i ${each};`
}

const DIGEST = `sha256:${'0'.repeat(64)}`
const CHARACTERISTIC = '{"name": "One", "characteristicType": "MEASUREMENT", "dataType": "FLOAT"}'

function recordsOf(id: number, { unit }: Common, each: string): string {
  const records = (kind: Kind, type: string, key: string, name: string, more = '{}') => `
    insert into records (domain_id, uuid, type, key, body, digest, created_at, updated_at)
    select ${id}, ${uuid(kind)}, '${type}', ${key}, jsonb_build_object('${name}', ${key}) || '${more}', '${DIGEST}', now(), now() ${each};`
  return `
    ${records('user', 'users', `'user-' || i || '@example.org'`, 'email')}
    ${records('characteristic', 'characteristics', `'characteristic-' || i`, 'code', CHARACTERISTIC)}
    insert into record_references (domain_id, from_uuid, to_uuid, owner) select ${id}, ${uuid('user')}, '${unit}', false ${each};
    insert into record_secrets (domain_id, record_uuid, hash, fingerprint, salt) select ${id}, ${uuid('user')}, '', '', '' ${each};
    insert into record_drift (domain_id, type, key, actor, changed_at)
    select ${id}, 'users', 'user-' || i || '@example.org', 'tester', now() ${each};
    insert into applies (domain_id, uuid, number, applied_at, actor, origin, plan_digest, summary, scope, managed_before)
    select ${id}, ${uuid('apply')}, 1000 + i, now(), 'tester', '{}', '${DIGEST}', '{}', '{}', '{}' ${each};
    insert into apply_changes (domain_id, apply_uuid, part, packed) select ${id}, ${uuid('apply')}, part, '' ${each},
      generate_series(0, 1) part;
    insert into apply_secrets (domain_id, apply_uuid, type, key, hash, fingerprint, salt)
    select ${id}, ${uuid('apply')}, 'users', 'user', '', '', '' ${each};`
}

const METHOD = `(select uuid from authentication_methods where domain_id = `
const ARTIFACTS = ['AccessToken', 'RefreshToken', 'Session', 'Grant', 'AuthorizationCode']

function accessOf(id: number, each: string): string {
  const artifacts = ARTIFACTS.map((kind) => {
    const [own, out] = [`'session-' || i`, `'grant-' || i`]
    const [uid, session, grant] =
      kind === 'Session' ? [own, 'null', 'null'] : ['null', own, kind === 'Grant' ? 'null' : out]
    return `insert into artifacts (domain_id, kind, hash, payload, grant_id, uid, session_uid, client_id, account_uuid, method_uuid,
        scope, issued_at, expires_at)
      select ${id}, '${kind}', sha256(convert_to('${kind} ' || i, 'UTF8')), '{"origin": {}}', ${grant}, ${uid}, ${session},
        'client', ${uuid('user')}, ${METHOD}${id} limit 1), 'openid', now(), now() + interval '1 day' ${each};`
  })
  const identities = (kind: 'identity' | 'stranger', account: string) => `
    insert into external_identities (domain_id, issuer, subject, uuid, account_uuid, address, created_at, last_seen_at)
    select ${id}, 'https://issuer.example', '${kind}-' || i, ${uuid(kind)}, ${account}, '${kind}-' || i || '@example.org', now(),
      now() ${each};`
  const records = (kind: 'device' | 'shadow', type: string, key: string) => `
    insert into platform_records (domain_id, uuid, type, key, body, created_at)
    select ${id}, ${uuid(kind)}, '${type}', ${key}, '{}', now() ${each};`
  return `
    insert into authentication_methods (domain_id, uuid, kind, name, status, configuration, created_at, updated_at)
    values (${id}, gen_random_uuid(), 'openid-delegated', 'Other', 'ACTIVATED', '{"issuer": "https://issuer.example", "rules": [], "githubActions": null, "scopes": []}', now(), now());
    ${artifacts.join('')}
    ${records('device', 'machineUsers', `'device-' || i`)} ${records('shadow', 'users', `'shadow-' || i || '@example.org'`)}
    ${identities('identity', uuid('shadow'))} ${identities('stranger', 'null')}
    insert into system_credentials (domain_id, account_uuid, system_uuid, created_at)
    select ${id}, ${uuid('device')}, ${uuid('system')}, now() ${each};
    insert into password_links (domain_id, hash, account_uuid, created_by, created_at, expires_at)
    select ${id}, sha256(convert_to(i::text, 'UTF8')), ${uuid('user')}, 'tester', now(), now() + interval '1 day' ${each};`
}
