import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../src/db/sql.ts'
import { listApplies } from '../../src/platform/imports/history/applies.ts'
import { applyImport, type ApplyRequest } from '../../src/platform/imports/applying/apply-import.ts'
import { updateRecord } from '../../src/platform/records/change-record.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { SAMPLED_DATABASES } from '../support/databases.ts'
import { plan } from '../support/domain.ts'
import { dumpTables } from '../support/table-dump.ts'
import { prepareSample, sampleDomain } from './sample.ts'

describe.each(SAMPLED_DATABASES)('an apply sent again with its id on $name', ({ openMigrated }) => {
  let database: Database
  let context: DomainContext
  let request: ApplyRequest

  beforeEach(async () => {
    database = await openMigrated()
    context = await sampleDomain(database)
    request = await prepareSample(context)
  })
  afterEach(() => database.close())

  it('is answered with the first result and made once, whatever has happened since', async () => {
    const first = await applyImport(context, request)
    await updateRecord(context, 'characteristics', 'light', { name: 'Changed since' }, [])
    const after = await dumpTables(database)
    const again = await applyImport({ ...context, actorName: 'somebody else' }, { ...request, document: {} })
    expect(again).toStrictEqual(first)
    expect(await dumpTables(database)).toStrictEqual(after)
  })

  it('is made once when it is sent several times at the same time', async () => {
    const earlier = await listApplies(context, 10, null)
    const answers = await Promise.all([1, 2, 3, 4].map(() => applyImport(context, request)))
    for (const answer of answers) expect(answer).toStrictEqual(answers[0])
    expect(await listApplies(context, 10, null)).toHaveLength(earlier.length + 1)
  })

  it('is refused when it comes with another plan', async () => {
    await applyImport(context, request)
    const after = await dumpTables(database)
    const other = { document: {}, settings: request.settings, plan: await plan(context, {}), origin: request.origin }
    await expect(applyImport(context, other)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await dumpTables(database)).toStrictEqual(after)
  })
})
