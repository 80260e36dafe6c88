import { beforeEach, describe, expect, it } from 'vitest'
import { applyImport } from '../../src/platform/imports/applying/apply-import.ts'
import { listApplyChanges } from '../../src/platform/imports/history/applies.ts'
import { createRecord } from '../../src/platform/records/change-record.ts'
import type { Plan } from '../../src/plan/plan.ts'
import { SAMPLED_DATABASES } from '../support/databases.ts'
import { emptyDomain, plan } from '../support/domain.ts'
import { context, useDomain } from '../support/one-database.ts'

// A client need not send the 100,000 changes of a plan back to the platform that made it: the digest says as much.

const MANY = Array.from({ length: 2_500 }, (_, number) => ({ code: `source-${String(number).padStart(4, '0')}` }))
const DOCUMENT = { dataSources: MANY }

function withoutChanges({ changes: _, ...rest }: Plan): Omit<Plan, 'changes'> {
  return rest
}

const apply = (reviewed: object) =>
  applyImport(context, { document: DOCUMENT, settings: undefined, plan: reviewed, origin: {} })

describe.each(SAMPLED_DATABASES)('a plan that is sent without its changes on $name', ({ openMigrated }) => {
  useDomain({ openMigrated })
  beforeEach(() => emptyDomain(context))

  it('is carried out where the plan of now has the same digest', async () => {
    const reviewed = await plan(context, DOCUMENT)
    const { uuid } = await apply(withoutChanges(reviewed))
    const history = await listApplyChanges(context, uuid)
    expect(history.map(({ key, after }) => ({ key, after }))).toStrictEqual(
      reviewed.changes.map(({ key, after }) => ({ key, after })),
    )
    expect((await plan(context, DOCUMENT)).outcome).toBe('no-changes')
  })

  it('is refused where anything else is to be done now, and tells what to send', async () => {
    const reviewed = await plan(context, DOCUMENT)
    await createRecord(context, 'dataSources', { code: 'another' }, [])
    await expect(apply(withoutChanges(reviewed))).rejects.toMatchObject({
      code: 'STALE_PLAN',
      message: expect.stringContaining('send the reviewed plan with its changes') as string,
    })
    const { summary } = await apply(reviewed)
    expect(summary).toMatchObject({ create: MANY.length, delete: 0 })
  })

  it('is refused where a record that it refers to has moved', async () => {
    await createRecord(context, 'characteristics', CHARACTERISTIC, [])
    const linked = { services: [{ code: 'climate', name: 'Climate', characteristics: [{ code: 'temperature' }] }] }
    const reviewed = withoutChanges(await plan(context, linked))
    expect(reviewed.references).toHaveLength(1)
    const stale = { ...reviewed, references: reviewed.references.map((one) => ({ ...one, digest: 'sha256:other' })) }
    const request = { document: linked, settings: undefined, plan: stale, origin: {} }
    await expect(applyImport(context, request)).rejects.toMatchObject({
      code: 'STALE_PLAN',
      details: [{ type: 'characteristics', key: 'temperature' }],
    })
  })
})

const CHARACTERISTIC = {
  code: 'temperature',
  name: 'Temperature',
  characteristicType: 'MEASUREMENT',
  dataType: 'FLOAT',
}
