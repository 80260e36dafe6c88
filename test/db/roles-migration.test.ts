import { expect, it } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { readMigrations } from '../../src/db/read-migrations.ts'
import { identifyBearer } from '../../src/platform/access/sessions/identify-bearer.ts'
import { listLostRights } from '../../src/platform/access/grants/lost-rights.ts'
import { planImport } from '../../src/platform/imports/plan-import.ts'
import { DEFAULT_GRANTS } from '../../src/records/types/grant.ts'
import { giveToken } from '../support/access.ts'
import { DATABASES } from '../support/databases.ts'
import { makeDomain } from '../support/domain.ts'

// A platform from before there were roles is opened by this version.

const MIGRATIONS = await readMigrations(new URL('../../src/db/migrations/', import.meta.url))
const BEFORE = MIGRATIONS.filter(({ version }) => version < 8)

const [DOMAIN, ANN, OPERATOR, ROBOT] = ['1', '2', '3', '4'].map((n) => `00000000-0000-4000-8000-00000000000${n}`)

it.each(DATABASES)('those who could do everything are operators now, and are named, on $name', async (kind) => {
  const database = await kind.open()
  await migrate(database, BEFORE)
  await database.script(`
    insert into domains (uuid, slug, name, host_names) values ('${DOMAIN}', 'local', 'local', '{local.example.org}');
    insert into records (domain_id, uuid, type, key, body, digest, created_at, updated_at) values
      (1, '${ANN}', 'users', 'ann@example.org', '{"email":"ann@example.org","status":"ACTIVATED"}', 'sha256:a', now(), now()),
      (1, '${OPERATOR}', 'machineUsers', 'operator', '{"username":"operator","status":"ACTIVATED"}', 'sha256:b', now(), now()),
      (1, '${ROBOT}', 'machineUsers', 'robot', '{"username":"robot","status":"ACTIVATED"}', 'sha256:c', now(), now());
    insert into applies (domain_id, uuid, applied_at, actor, origin, plan_digest, summary, scope, managed_before)
      select 1, gen_random_uuid(), now() - interval '1 day', actor, '{}', 'sha256:d', '{}', '{}', '{}'
      from unnest('{robot,robot,operator,stranger}'::text[]) actor;`)
  await migrate(database, MIGRATIONS)
  const context = await makeDomain(database)
  const rolesOf = async (uuid: string) => (await identifyBearer(context, await giveToken(context, { uuid })))?.roles
  expect(await rolesOf(ANN!)).toEqual([{ role: 'operator', within: null }])
  expect(await rolesOf(OPERATOR!)).toEqual([
    { role: 'administrator', within: null },
    { role: 'operator', within: null },
  ])
  expect(await listLostRights(context)).toEqual([
    expect.objectContaining({ who: 'robot', what: 'has applied 2 imports and cannot any more' }),
  ])
  // The grants that the migration wrote are to the letter those that the platform writes itself.
  const access = [...DEFAULT_GRANTS, { role: 'administrator', machineUser: 'operator' }]
  const { plan } = await planImport(context, {}, { access })
  expect({ changes: plan.access.changes, state: plan.access.state }).toEqual({ changes: [], state: 'managed' })
  await database.close()
})
