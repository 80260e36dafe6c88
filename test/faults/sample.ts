import type { Database } from '../../src/db/sql.ts'
import { applyImport, type ApplyRequest } from '../../src/platform/imports/applying/apply-import.ts'
import { createRecord, deleteRecord, updateRecord } from '../../src/platform/records/change-record.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { NO_SETTINGS, type Settings } from '../../src/records/settings.ts'
import { ensureDomain } from '../../src/store/domains.ts'
import { countingDatabase } from '../support/counting-database.ts'
import { acknowledging, applyAll, makeDomain, plan } from '../support/domain.ts'

// An apply in which every statement that an apply can make occurs: it creates, updates, moves and deletes records of
// several types with links and secrets, some of which somebody has changed on the platform since the last apply.

export const BEFORE = {
  applicationConsumers: [
    { name: 'Portal', slug: 'portal', secret: 'Portal-0-mAy7Qe5RtZ1pXw9Lk3Vb', grantTypes: ['PASSWORD'] },
    { name: 'Old portal', slug: 'old-portal', secret: 'Older-0-hT6sPq2YwN8vCz4Jd7Gf', grantTypes: ['PASSWORD'] },
  ],
  machineUsers: [{ username: 'gateway', password: 'Gateway-0-bN5xKs8WqRf2LmZ7yTc4' }],
  characteristics: ['temperature', 'humidity', 'pressure', 'noise'].map((code) => characteristic(code, code)),
  services: [
    { code: 'climate', name: 'Climate', characteristics: [{ code: 'temperature' }, { code: 'humidity' }] },
    { code: 'weather', name: 'Weather', characteristics: [{ code: 'pressure' }] },
  ],
  componentModels: [
    { code: 'sensor', name: 'Sensor', componentType: 'DEVICE', services: [{ code: 'climate' }, { code: 'weather' }] },
  ],
  organizations: [{ name: 'Acme', alias: 'acme', organizationUnits: [{ name: 'North' }, { name: 'South' }] }],
  users: [{ email: 'ada@example.org', organization: { alias: 'acme' } }],
}

export const DOCUMENT = {
  ...BEFORE,
  applicationConsumers: [
    { name: 'Portal', slug: 'portal', secret: 'Portal-1-uJ4dVn8XsB6kFq2Ga9Hw', grantTypes: ['PASSWORD'] },
    { name: 'App', slug: 'app', secret: 'App-1-eR7tYc3MzP5oWi8Sj6Lk', grantTypes: ['PASSWORD'] },
  ],
  machineUsers: [{ username: 'gateway', password: 'Gateway-1-vC3zQd9HwTn6RjX2pLs8' }],
  characteristics: [
    characteristic('room-temperature', 'temperature'),
    characteristic('humidity', 'Relative humidity'),
    characteristic('noise', 'noise'),
    characteristic('light', 'Light'),
  ],
  services: [
    { code: 'climate', name: 'Climate', characteristics: [{ code: 'room-temperature' }, { code: 'light' }] },
    { code: 'comfort', name: 'Comfort', characteristics: [{ code: 'humidity' }] },
  ],
  componentModels: [
    {
      code: 'sensor',
      name: 'Sensor',
      componentType: 'DEVICE',
      services: [{ code: 'climate', index: 1 }, { code: 'comfort' }],
    },
  ],
  organizations: [{ name: 'Acme Inc.', alias: 'acme', organizationUnits: [{ name: 'North' }, { name: 'West' }] }],
}

const SETTINGS: Settings = {
  ...NO_SETTINGS,
  moved: [{ type: 'characteristics', from: 'temperature', to: 'room-temperature' }],
}

function characteristic(code: string, name: string): object {
  return { code, name, characteristicType: 'MEASUREMENT', dataType: 'FLOAT', symbol: null }
}

/** Sent with every apply of the sample, as a client does that sends it again until it hears the answer. */
export const APPLY_ID = '5ec0ffee-0000-4000-8000-000000000001'

/** The domain of the sample on this database; its uuid is fixed because fingerprints of secrets depend on it. */
export async function sampleDomain(database: Database): Promise<DomainContext> {
  await database.transaction((sql) =>
    ensureDomain(sql, { uuid: '5ec0ffee-0000-4000-8000-000000000000', slug: 'local', name: 'local', hostNames: [] }),
  )
  return makeDomain(database)
}

/** Brings the platform to where the sample's apply begins, and gives what a client would send. */
export async function prepareSample(context: DomainContext): Promise<ApplyRequest> {
  await applyAll(context, BEFORE)
  const somebody = { ...context, actorName: 'somebody' }
  await updateRecord(somebody, 'characteristics', 'humidity', { symbol: '%' }, [])
  await updateRecord(somebody, 'users', 'ada@example.org', { name: 'Ada' }, [])
  await createRecord(somebody, 'characteristics', characteristic('co2', 'CO2') as never, [])
  await deleteRecord(somebody, 'characteristics', 'noise', [])
  return reviewed(context)
}

/** The sample's document with a reviewed plan of it. */
export async function reviewed(context: DomainContext): Promise<ApplyRequest> {
  const settings = acknowledging(await plan(context, DOCUMENT, SETTINGS), SETTINGS)
  return { document: DOCUMENT, settings, plan: await plan(context, DOCUMENT, settings), origin: { applyId: APPLY_ID } }
}

/** The statements of an apply, found by one that is stopped at its very end. */
export async function statementsOf(context: DomainContext, request: ApplyRequest): Promise<readonly string[]> {
  const counting = countingDatabase(context.database, ({ text }) => {
    if (text === 'COMMIT') throw new Error('far enough')
  })
  await applyImport({ ...context, database: counting }, request).catch((error: unknown) => {
    if (!(error instanceof Error && error.message === 'far enough')) throw error
  })
  return counting.statements
}
