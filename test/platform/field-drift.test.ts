import { beforeEach, describe, expect, test } from 'vitest'
import validators from '../../generated/validators.cjs'
import type { JsonObject } from '../../src/lib/json.ts'
import { applyImport } from '../../src/platform/imports/applying/apply-import.ts'
import { updateRecord } from '../../src/platform/records/change-record.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { planImport } from '../../src/platform/imports/planning/plan-import.ts'
import { planRollback } from '../../src/platform/imports/applying/roll-back.ts'
import { NO_SETTINGS } from '../../src/records/settings.ts'
import type { RecordTypeName } from '../../src/records/record-type.ts'
import { countingDatabase } from '../support/counting-database.ts'
import { SAMPLED_DATABASES } from '../support/databases.ts'
import { acknowledging, applyAll, plan } from '../support/domain.ts'
import { strongSecret } from '../support/example-records.ts'
import { changeOf, effects } from '../support/plan-parts.ts'
import { oneDomain } from './one-domain.ts'

// What somebody changed in fields that the document does not name (docs/decisions/0058).

const service = (fields: JsonObject = {}) => ({ code: 'climate', name: 'Climate', ...fields })

describe.each(SAMPLED_DATABASES)('drift below the documents, on $name', (kind) => {
  const domain = oneDomain(kind)
  const somebody = (actor: string, at = '2026-05-01T10:00:00.000Z'): DomainContext => ({
    ...domain(),
    actorName: actor,
    now: () => new Date(at),
  })
  const update = (type: RecordTypeName, key: string, fields: JsonObject, context = somebody('grace')) =>
    updateRecord(context, type, key, fields, [])

  const consumer = { name: 'Portal', slug: 'portal', secret: strongSecret('portal'), grantTypes: ['PASSWORD'] }
  const base = { services: [service()], applicationConsumers: [consumer] }
  const shown = async (document: object = base) =>
    ((await plan(domain(), document)).drift ?? []).map(
      ({ type, key, field, before, after, actor }) =>
        `${type}/${key} ${field}: ${JSON.stringify(before)} → ${JSON.stringify(after)} by ${actor}`,
    )
  const EVIL = 'applicationConsumers/portal redirectUris: null → ["https://evil.example"] by grace'

  const count = async () => {
    const counting = countingDatabase(domain().database)
    await planImport({ ...domain(), database: counting }, base, null)
    return counting.statements.length
  }

  beforeEach(() => applyAll(domain(), base))

  test('is shown with before, after, and who changed the single field', async () => {
    await update('services', 'climate', { description: 'Warm' })
    await update('services', 'climate', { name: 'Air' }, somebody('linus', '2026-05-02T10:00:00.000Z'))
    await update('applicationConsumers', 'portal', { redirectUris: ['https://evil.example'] })
    const planned = await plan(domain(), base)
    expect(effects(planned)).toEqual(['update services/climate'])
    expect(planned.drift).toEqual([
      {
        type: 'applicationConsumers',
        key: 'portal',
        field: 'redirectUris',
        before: null,
        after: ['https://evil.example'],
        actor: 'grace',
        at: '2026-05-01T10:00:00.000Z',
      },
      {
        type: 'services',
        key: 'climate',
        field: 'description',
        before: null,
        after: 'Warm',
        actor: 'grace',
        at: '2026-05-01T10:00:00.000Z',
      },
    ])
    expect(validators.plan(planned)).toBe(true)
  })

  test('is no part of the digest, and goes unsaid where nobody changed anything', async () => {
    const before = await plan(domain(), base)
    expect(before).not.toHaveProperty('drift')
    await update('services', 'climate', { description: 'Warm' })
    expect((await plan(domain(), base)).digest).toBe(before.digest)
  })

  test('costs no statement but the one for whatever differs', async () => {
    const before = await count()
    await update('services', 'climate', { description: 'Warm' })
    await update('applicationConsumers', 'portal', { redirectUris: [] })
    expect(await count()).toBe(before + 1)
  })

  test('stays after an apply that leaves the field alone, with what the first apply had left', async () => {
    await update('applicationConsumers', 'portal', { redirectUris: ['https://evil.example'] })
    await update('services', 'climate', { name: 'Air' })
    await applyAll(domain(), base)
    expect(await shown()).toEqual([EVIL])
    const next = { ...base, applicationConsumers: [{ ...consumer, name: 'The portal' }] }
    await applyAll({ ...domain(), actorName: 'someone-else' }, next)
    expect(await shown(next)).toEqual([EVIL])
    expect(changeOf(await plan(domain(), base), 'applicationConsumers', 'portal').cause).toBe('you')
  })

  test('goes along with a record that is renamed', async () => {
    await update('services', 'climate', { description: 'Warm' })
    const next = { ...base, services: [{ ...service(), code: 'air' }] }
    const moved = { ...NO_SETTINGS, moved: [{ type: 'services' as const, from: 'climate', to: 'air' }] }
    expect((await plan(domain(), next, moved)).drift).toMatchObject([{ key: 'air', field: 'description' }])
    await applyAll(domain(), next, moved)
    expect(await shown(next)).toEqual(['services/air description: null → "Warm" by grace'])
  })

  test.each([
    ['naming the field as it is now', { description: 'Warm' }],
    ['naming the field as it shall be', { description: 'Cold' }],
  ])('is settled by %s', async (_, fields) => {
    await update('services', 'climate', { description: 'Warm' })
    const next = { ...base, services: [service(fields)] }
    const planned = await plan(domain(), next)
    expect([planned.drift, planned.settlesDrift]).toEqual([undefined, true])
    await applyAll(domain(), next)
    expect(await plan(domain(), base)).not.toHaveProperty('drift')
    expect(await plan(domain(), base)).not.toHaveProperty('settlesDrift')
  })

  test('is settled field by field', async () => {
    await update('services', 'climate', { name: 'Air', description: 'Warm' })
    const next = { ...base, services: [service({ name: 'Air' })] }
    const planned = await plan(domain(), next)
    expect(planned).toMatchObject({ outcome: 'no-changes', settlesDrift: true, drift: [{ field: 'description' }] })
    await applyAll(domain(), next)
    expect(await plan(domain(), next)).not.toHaveProperty('settlesDrift')
    expect(await shown(next)).toEqual(['services/climate description: null → "Warm" by grace'])
    expect(changeOf(await plan(domain(), base), 'services', 'climate').cause).toBe('you')
  })

  test('is settled by whoever changes it back', async () => {
    await update('services', 'climate', { description: 'Warm' })
    await applyAll(domain(), { ...base, services: [service({ description: 'Warm' })] })
    await update('services', 'climate', { description: 'Cold' })
    await update('services', 'climate', { description: 'Warm' })
    expect(await shown()).toEqual([])
  })

  test('of a record that an older reviewed plan did not name stays as it is', async () => {
    const next = { ...base, applicationConsumers: [{ ...consumer, name: 'The portal' }] }
    const reviewed = await plan(domain(), next)
    await update('services', 'climate', { name: 'Air', description: 'Warm' })
    await applyImport(domain(), { document: next, settings: NO_SETTINGS, plan: reviewed, origin: {} })
    expect(changeOf(await plan(domain(), next), 'services', 'climate')).toMatchObject({ cause: 'drift' })
    expect(await shown(next)).toEqual(['services/climate description: null → "Warm" by grace'])
  })

  test('outlives a rollback that leaves the field as it is', async () => {
    await update('services', 'climate', { description: 'Warm' })
    const { uuid } = await applyAll(domain(), { ...base, services: [{ ...service(), name: 'Air' }] })
    await update('services', 'climate', { name: 'Wind' })
    const settings = acknowledging((await planRollback(domain(), uuid, NO_SETTINGS)).plan)
    const { plan: inverse } = await planRollback(domain(), uuid, settings)
    await applyImport(domain(), { document: {}, settings, plan: inverse, origin: { rollbackOf: uuid } })
    expect(effects(await plan(domain(), base))).toEqual([])
    expect(await shown()).toEqual(['services/climate description: null → "Warm" by grace'])
  })

  test('of a secret is shown while nobody can compare it, and settled by an apply that can', async () => {
    const unresolved = { ...base, applicationConsumers: [{ ...consumer, secret: '${env:PORTAL}' }] }
    await update('applicationConsumers', 'portal', { secret: strongSecret('another') })
    const line = 'applicationConsumers/portal secret: "(secret)" → "(secret)" by grace'
    expect(await shown(unresolved)).toEqual([line])
    await applyAll(domain(), unresolved)
    expect(await shown(unresolved)).toEqual([line])
    await applyAll(domain(), base)
    expect(await shown(unresolved)).toEqual([])
  })

  test('tells those who may not read the data model which fields, and nothing else', async () => {
    await update('services', 'climate', { description: 'Warm' })
    const { plan: seen } = await planImport(domain(), base, null, { readsModel: false, readsData: false })
    expect(seen.drift).toEqual([
      { type: 'services', key: 'climate', field: 'description', at: '2026-05-01T10:00:00.000Z' },
    ])
    expect(validators.plan(seen)).toBe(true)
  })

  test('is none in a type that no apply manages, nor of a time before it was managed again', async () => {
    await update('services', 'climate', { description: 'Warm' })
    await applyAll(domain(), { applicationConsumers: [consumer] })
    expect(await shown()).toEqual([])
    await applyAll(domain(), base)
    expect(await shown()).toEqual([])
  })
})
