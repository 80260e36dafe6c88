import { beforeAll, describe, expect, it } from 'vitest'
import { TEXT } from '../../src/db/columns.ts'
import { listApplies, listApplyChanges } from '../../src/platform/imports/history/applies.ts'
import { applyImport } from '../../src/platform/imports/applying/apply-import.ts'
import { createRecord, deleteRecord, updateRecord } from '../../src/platform/records/change-record.ts'
import { exportDocument } from '../../src/platform/imports/export-document.ts'
import { planImport } from '../../src/platform/imports/planning/plan-import.ts'
import { listRecords } from '../../src/platform/records/read-records.ts'
import { planRollback } from '../../src/platform/imports/applying/roll-back.ts'
import { EVERYWHERE } from '../../src/platform/systems/reach.ts'
import { CanaryDetector, makeCanary, type Canary } from '../support/canaries.ts'
import { SAMPLED_DATABASES } from '../support/databases.ts'
import { acknowledging, applyAll, plan } from '../support/domain.ts'
import { dumpTables } from '../support/table-dump.ts'
import { context, database, useDomain } from '../support/one-database.ts'

const CANARIES = {
  portal: makeCanary('the first secret of portal', { ascii: true }),
  portalNext: makeCanary('the second secret of portal', { ascii: true }),
  app: makeCanary('the secret of app', { ascii: true }),
  gateway: makeCanary('the first password of gateway'),
  gatewayNext: makeCanary('the second password of gateway'),
  installer: makeCanary('the password of installer'),
  refused: makeCanary('a secret that is never accepted'),
}
const detector = new CanaryDetector(Object.values(CANARIES))

function consumer(slug: string, secret: unknown): object {
  return { slug, name: slug, secret, grantTypes: ['PASSWORD'] }
}

function machineUser(username: string, password: unknown): object {
  return { username, password }
}

function model(portal: Canary, gateway: Canary): object {
  return {
    applicationConsumers: [consumer('portal', portal.text), consumer('app', CANARIES.app.text)],
    machineUsers: [machineUser('gateway', gateway.text)],
  }
}

const FIRST = model(CANARIES.portal, CANARIES.gateway)
const NEXT = model(CANARIES.portalNext, CANARIES.gatewayNext)
const REFUSED = CANARIES.refused.text

/** Documents with a secret that cannot be accepted, each for another reason. */
const WRONG: { readonly [why: string]: object } = {
  'an identity that occurs twice': {
    machineUsers: [machineUser('twin', REFUSED), machineUser('twin', CANARIES.app.text)],
  },
  'a secret in an array': { applicationConsumers: [consumer('x', [REFUSED])] },
  'a secret in an object': { applicationConsumers: [consumer('x', { value: REFUSED })] },
  'a password in an object': { machineUsers: [machineUser('x', { [REFUSED]: true })] },
  'a secret under a misspelt key': { machineUsers: [{ username: 'x', passwort: REFUSED }] },
  'a secret under a key that is not known': {
    applicationConsumers: [{ ...consumer('x', REFUSED), clientSecret: REFUSED }],
  },
  'a record that lacks another field': { applicationConsumers: [{ slug: 'x', secret: REFUSED }] },
  'a grant without a redirect URI': {
    applicationConsumers: [{ ...consumer('x', REFUSED), grantTypes: ['AUTHORIZATION_CODE'] }],
  },
  'a record in place of the list': { machineUsers: machineUser('x', REFUSED) },
  'a secret in place of the record': { machineUsers: [REFUSED] },
  'a secret in place of the list': { machineUsers: REFUSED },
}

function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'it did not fail',
    (error: unknown) => error,
  )
}

describe.each(SAMPLED_DATABASES)('no secret comes out on $name', ({ openMigrated }) => {
  useDomain({ openMigrated })
  beforeAll(async () => {
    await applyAll(context, FIRST)
    await applyAll(context, NEXT)
    await createRecord(context, 'machineUsers', { username: 'installer', password: CANARIES.installer.text }, [])
  })

  it('in a plan that creates, keeps, changes or deletes secrets', async () => {
    const documents = [
      FIRST,
      NEXT,
      { applicationConsumers: [], machineUsers: [] },
      { machineUsers: [machineUser('new', `${REFUSED}\0\ud800`)] },
      { applicationConsumers: [consumer('warned', `${CANARIES.app.text} +%`)] },
    ]
    for (const document of documents)
      expect(detector.findInValue(await planImport(context, document, null))).toStrictEqual([])
  })

  it('in the answers to an apply, to changes of single records and to rollbacks', async () => {
    const changed = await applyAll(context, FIRST)
    const inverse = await planRollback(context, changed.uuid, { acknowledge: [], protect: [], moved: [] })
    const settings = acknowledging(inverse.plan)
    const { plan: reviewed } = await planRollback(context, changed.uuid, settings)
    const answers = [
      changed,
      inverse,
      await applyImport(context, { document: {}, settings, plan: reviewed, origin: { rollbackOf: changed.uuid } }),
      await createRecord(context, 'applicationConsumers', consumer('made', CANARIES.app.text) as never, []),
      await updateRecord(context, 'applicationConsumers', 'made', { secret: CANARIES.portal.text }, []),
      await deleteRecord(context, 'applicationConsumers', 'made', []),
    ]
    for (const answer of answers) expect(detector.findInValue(answer)).toStrictEqual([])
  })

  it('in the history, the lists of records and the export', async () => {
    const applies = await listApplies(context, 100, null)
    expect(applies.length).toBeGreaterThan(1)
    expect(detector.findInValue(applies)).toStrictEqual([])
    for (const { uuid } of applies)
      expect(detector.findInValue(await listApplyChanges(context, uuid))).toStrictEqual([])
    for (const type of ['applicationConsumers', 'machineUsers'] as const) {
      const query = { first: 100, after: null, filter: {}, order: { by: 'KEY', direction: 'ASC' } } as const
      expect(detector.findInValue(await listRecords(context, EVERYWHERE, type, query))).toStrictEqual([])
    }
    expect(detector.findInValue(await exportDocument(context, null))).toStrictEqual([])
  })

  it.each(Object.entries(WRONG))('in the refusal of %s', async (_, document) => {
    const error = await failure(plan(context, document))
    expect(error).toMatchObject({ code: 'BAD_USER_INPUT' })
    expect(detector.findInValue(error)).toStrictEqual([])
  })

  it('in the refusals of a stale, a blocked and an altered plan', async () => {
    const stale = await plan(context, FIRST)
    await updateRecord(context, 'applicationConsumers', 'portal', { secret: CANARIES.app.text }, [])
    const blocked = await plan(context, { applicationConsumers: [] })
    const requests = [
      { code: 'STALE_PLAN', document: FIRST, plan: stale },
      { code: 'BLOCKED', document: { applicationConsumers: [] }, plan: blocked },
      { code: 'BAD_USER_INPUT', document: FIRST, plan: { ...stale, changes: [] } },
    ]
    for (const { code, ...request } of requests) {
      const error = await failure(applyImport(context, { ...request, settings: null, origin: {} }))
      expect(error).toMatchObject({ code })
      expect(detector.findInValue(error)).toStrictEqual([])
    }
  })

  it('in the error of a statement that fails with the secrets as its parameters', async () => {
    await database.script('alter table record_secrets add constraint full_up check (false) not valid')
    const error = await failure(applyAll(context, FIRST))
    await database.script('alter table record_secrets drop constraint full_up')
    expect(error).toMatchObject({ constraint: expect.stringMatching(/^full_up/) as string })
    expect(detector.findInValue(error)).toStrictEqual([])
  })

  it('and none is in the database: all that is kept are hashes', async () => {
    const dump = await dumpTables(database)
    expect(dump['record_secrets']?.length).toBeGreaterThan(2)
    expect(dump['apply_secrets']?.length).toBeGreaterThan(2)
    for (const rows of Object.values(dump)) expect(detector.findIn(rows.join('\n'))).toStrictEqual([])
    const hashes = await database.read((sql) =>
      sql.rows(
        { hash: TEXT, fingerprint: TEXT },
        'select hash, fingerprint from record_secrets union all select hash, fingerprint from apply_secrets',
      ),
    )
    for (const { hash, fingerprint } of hashes) {
      expect(hash).toMatch(/^(\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+\$[\w+/]{22}\$[\w+/]{43}|hmac-sha256:[\w-]{43})$/)
      expect(fingerprint).toMatch(/^[\w-]{43}$/)
    }
  })
})
