import { describe, expect, it } from 'vitest'
import { applyImport } from '../../src/platform/imports/applying/apply-import.ts'
import { planImport } from '../../src/platform/imports/planning/plan-import.ts'
import { SecretKeeper } from '../../src/platform/secret-keeper.ts'
import { countingDatabase } from '../support/counting-database.ts'
import { isLong } from '../support/runs.ts'
import { SAMPLED_DATABASES } from '../support/databases.ts'
import { dumpTables } from '../support/table-dump.ts'
import { prepareSample, sampleDomain, statementsOf } from './sample.ts'

const KEY = new Uint8Array(32).fill(7)

/** `npm test` takes every third one. lost-connections.test.ts loses the connection before each of them. */
const STEP = isLong ? 1 : 3

/** Every write that an apply can make: a new one belongs into this list, and its data into the sample. */
const WRITES = [
  /^insert into apply_secrets/,
  /^insert into apply_changes/,
  /^delete from record_references/,
  /^with gone as/,
  /^update records/,
  /^insert into records/,
  /^with written as .*insert into record_references/s,
  /^insert into record_secrets/,
  /^insert into applies/,
  /^update domain_state/,
  /^delete from record_drift/,
  /^insert into record_drift/,
  /^COMMIT/,
]

describe.each(SAMPLED_DATABASES)('an apply on $name', ({ openMigrated }) => {
  it(
    'that fails at any of its statements leaves everything as it was, and can then be made',
    { timeout: 180_000 },
    async () => {
      const database = await openMigrated()
      // Each plan is another guess at the secrets that it changes, and after 60 of them nothing is compared any more.
      const domain = await sampleDomain(database)
      const context = { ...domain, secrets: domain.secrets }
      const request = await prepareSample(context)
      const before = await dumpTables(database)
      const planNow = async () => JSON.stringify(await planImport(context, request.document, request.settings))
      const planBefore = await planNow()

      const whole = await statementsOf(context, request)
      expect(WRITES.filter((write) => !whole.some((text) => write.test(text.trim())))).toEqual([])
      for (let failing = 0; failing < whole.length; failing += STEP) {
        context.secrets = new SecretKeeper(KEY, domain.now)
        const counting = countingDatabase(database, ({ number }) => {
          if (number === failing + 1) throw new Error('pulled the plug')
        })
        await expect(applyImport({ ...context, database: counting }, request)).rejects.toThrow('pulled the plug')
        expect(await dumpTables(database)).toStrictEqual(before)
        expect(await planNow()).toBe(planBefore)
      }

      await applyImport(context, request)
      expect((await planImport(context, request.document, request.settings)).plan.outcome).toBe('no-changes')
      await database.close()
    },
  )
})
