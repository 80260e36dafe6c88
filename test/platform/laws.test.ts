import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasErrors } from '../../src/lib/diagnostic.ts'
import { applyImport } from '../../src/platform/imports/applying/apply-import.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { exportDocument } from '../../src/platform/imports/export-document.ts'
import { planRollback } from '../../src/platform/imports/applying/roll-back.ts'
import { NO_SETTINGS } from '../../src/records/settings.ts'
import { SAMPLED_DATABASES } from '../support/databases.ts'
import { acknowledging, applyAll, makeDomain, plan } from '../support/domain.ts'
import { modelArbitrary, mutationArbitrary } from '../support/random-model.ts'
import { runsOf } from '../support/runs.ts'
import { database, useDatabase } from '../support/one-database.ts'

/** Each with its own domain. */
const RUNS = runsOf('LAW_RUNS', { sample: 12, long: 100 })
/** PGlite is the same database, so there a part of them has to do. */
const KINDS = SAMPLED_DATABASES.map((kind) => ({
  ...kind,
  runs: kind.name === 'PostgreSQL' ? RUNS : Math.ceil(RUNS / 4),
}))

/** What a platform holds, and the next document for it. */
const pair = modelArbitrary().chain((before) => fc.tuple(fc.constant(before), mutationArbitrary(before)))

async function rollBack(context: DomainContext, apply: string): Promise<void> {
  const { plan: inverse } = await planRollback(context, apply, NO_SETTINGS)
  const settings = acknowledging(inverse)
  await applyImport(context, { document: {}, settings, plan: inverse, origin: { rollbackOf: apply } })
}

function stateOf({ domain }: DomainContext): Promise<unknown> {
  return database.read((sql) =>
    sql.query(
      `select r.type, r.key, r.uuid, r.body::text, r.digest, s.hash, s.fingerprint, s.salt, d.managed_types::text,
         (select array_agg(f.to_uuid::text order by f.to_uuid) from record_references f
          where f.domain_id = r.domain_id and f.from_uuid = r.uuid) as refers_to
       from domain_state d left join records r on r.domain_id = d.domain_id
       left join record_secrets s on s.domain_id = d.domain_id and s.record_uuid = r.uuid
       where d.domain_id = $1 order by r.type, r.key`,
      [domain.id],
    ),
  )
}

describe.each(KINDS)('the laws of plan and apply on $name', ({ openMigrated, runs }) => {
  let domains = 0

  useDatabase({ openMigrated })

  test(
    'plan after apply is empty; a second apply leaves no trace; an export plans to nothing; a rollback restores every byte',
    { timeout: 600_000 },
    async () => {
      const lawsHold = fc.asyncProperty(pair, async ([before, after]) => {
        const context = await makeDomain(database, `domain-${++domains}`)
        await applyAll(context, before)
        const earlier = await stateOf(context)
        // A change that leaves a type unmanaged may remove what its records refer to: rightly an error.
        fc.pre(!hasErrors((await plan(context, after)).diagnostics))
        const apply = await applyAll(context, after)

        const again = await plan(context, after)
        expect(again).toMatchObject({ outcome: 'no-changes', changes: [] })
        expect(
          (await applyImport(context, { document: after, settings: null, plan: again, origin: {} })).recorded,
        ).toBe(false)
        expect((await plan(context, await exportDocument(context, null))).changes).toEqual([])
        if (!apply.recorded) return
        await rollBack(context, apply.uuid)
        expect(await stateOf(context)).toEqual(earlier)
      })
      await fc.assert(lawsHold, { numRuns: runs, endOnFailure: true })
    },
  )
})
