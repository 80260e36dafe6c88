import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/sql.ts'
import { hasErrors } from '../../src/lib/diagnostic.ts'
import { applyImport } from '../../src/platform/apply-import.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { exportDocument } from '../../src/platform/export-document.ts'
import { planRollback } from '../../src/platform/roll-back.ts'
import { NO_SETTINGS } from '../../src/records/settings.ts'
import { acknowledging, applyAll, emptyDomain, makeDomain, plan } from '../support/domain.ts'
import { DATABASES } from '../support/databases.ts'
import { modelArbitrary, mutationArbitrary } from '../support/random-model.ts'

const RUNS = Number(process.env['LAW_RUNS'] ?? 200)

/** A platform that already holds something, and the next document for it. */
const pair = modelArbitrary().chain((before) => fc.tuple(fc.constant(before), mutationArbitrary(before)))

/** A change that leaves a type unmanaged may remove what its records refer to: rightly an error. */
async function skipImpossible(context: DomainContext, document: object): Promise<void> {
  fc.pre(!hasErrors((await plan(context, document)).diagnostics))
}

describe.each(DATABASES)('the laws of plan and apply on $name', ({ openMigrated }) => {
  let database: Database
  let context: DomainContext

  beforeAll(async () => {
    database = await openMigrated()
    context = await makeDomain(database)
  })
  afterAll(() => database.close())

  async function state(): Promise<unknown> {
    return database.transaction((sql) =>
      sql.query(
        `select r.type, r.key, r.uuid, r.body::text, r.digest, s.hash, s.fingerprint, s.salt,
           (select array_agg(f.to_uuid::text order by f.to_uuid) from record_references f where f.from_uuid = r.uuid) as refs,
           (select managed_types::text from domains d where d.id = r.domain_id) as managed
         from records r left join record_secrets s on s.record_uuid = r.uuid order by r.type, r.key`,
      ),
    )
  }

  test('a plan after the apply is empty, and a second apply leaves no trace', { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(pair, async ([before, after]) => {
        await emptyDomain(context)
        await applyAll(context, before)
        await skipImpossible(context, after)
        await applyAll(context, after)
        const again = await plan(context, after)
        expect(again.changes).toEqual([])
        expect(again.outcome).toBe('no-changes')
        expect((await applyAll(context, after)).recorded).toBe(false)
      }),
      { numRuns: RUNS, endOnFailure: true },
    )
  })

  test('an export plans to nothing', { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(pair, async ([before, after]) => {
        await emptyDomain(context)
        await applyAll(context, before)
        await skipImpossible(context, after)
        await applyAll(context, after)
        expect((await plan(context, await exportDocument(context, null))).changes).toEqual([])
      }),
      { numRuns: RUNS, endOnFailure: true },
    )
  })

  test('a rollback restores the state byte for byte', { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(pair, async ([before, after]) => {
        await emptyDomain(context)
        await applyAll(context, before)
        const earlier = await state()
        await skipImpossible(context, after)
        const apply = await applyAll(context, after)
        if (!apply.recorded) return
        const { plan: first } = await planRollback(context, apply.uuid, NO_SETTINGS)
        const settings = acknowledging(first)
        const { plan: inverse } = await planRollback(context, apply.uuid, settings)
        await applyImport(context, { document: {}, settings, plan: inverse, origin: { rollbackOf: apply.uuid } })
        expect(await state()).toEqual(earlier)
      }),
      { numRuns: RUNS, endOnFailure: true },
    )
  })
})
