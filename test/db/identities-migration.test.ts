import { expect, it } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { readMigrations } from '../../src/db/read-migrations.ts'
import { ensureDomain } from '../../src/store/domains.ts'
import { DATABASES } from '../support/databases.ts'

const MIGRATIONS = await readMigrations(new URL('../../src/db/migrations/', import.meta.url))
const BEFORE = MIGRATIONS.filter(({ version }) => version < 9)

const [MODEL, SHADOW, METHOD] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]

it.each(DATABASES)(
  'identities of an older release are kept, and none of a record of the model, on $name',
  async (kind) => {
    const database = await kind.open()
    await migrate(database, BEFORE)
    const { id } = await database.transaction((sql) =>
      ensureDomain(sql, { uuid: crypto.randomUUID(), slug: 'old', name: 'old', hostNames: ['old.example'] }),
    )
    await database.script(`
    insert into records (domain_id, uuid, type, key, body, digest, created_at, updated_at)
      values (${id}, '${MODEL}', 'users', 'ceo@corp.example', '{"email":"ceo@corp.example"}', 'sha256:x', now(), now());
    insert into platform_records (domain_id, uuid, type, key, body, created_at)
      values (${id}, '${SHADOW}', 'users', 'ada@corp.example', '{"email":"ada@corp.example"}', now());
    insert into authentication_methods (domain_id, uuid, kind, name, status, configuration, created_at, updated_at)
      values (${id}, '${METHOD}', 'openid-delegated', 'x', 'ACTIVATED', '{"linksVerifiedEmail":true}', now(), now());
    insert into external_identities (domain_id, issuer, subject, account_uuid, created_at)
      values (${id}, 'https://x', 'squatter', '${MODEL}', now()), (${id}, 'https://x', 'ada', '${SHADOW}', now());
    insert into artifacts (domain_id, kind, hash, payload, account_uuid, method_uuid, issued_at, expires_at)
      values (${id}, 'RefreshToken', '\\x01', '{}', '${MODEL}', '${METHOD}', now(), now()),
             (${id}, 'RefreshToken', '\\x02', '{}', '${MODEL}', null, now(), now());`)
    await migrate(database, MIGRATIONS)
    const [identities, artifacts] = await database.read(async (sql) => [
      await sql.query(`select subject, account_uuid, fits, last_seen_at = created_at as seen from external_identities`),
      await sql.query(`select encode(hash, 'hex') as hash from artifacts`),
    ])
    expect(identities).toStrictEqual([{ subject: 'ada', account_uuid: SHADOW, fits: [], seen: true }])
    expect(artifacts).toStrictEqual([{ hash: '02' }])
    await database.close()
  },
)
