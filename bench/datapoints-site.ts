import { randomBytes } from 'node:crypto'
import type { Database } from '../src/db/sql.ts'
import { applyImport } from '../src/platform/imports/applying/apply-import.ts'
import { GrantKeeper } from '../src/platform/access/grants/grant-keeper.ts'
import { externalProviders } from '../src/platform/access/delegated/provider/external-providers.ts'
import { DataKey } from '../src/platform/data-key.ts'
import type { DomainContext } from '../src/platform/domain-context.ts'
import { planImport } from '../src/platform/imports/planning/plan-import.ts'
import { SecretKeeper } from '../src/platform/secret-keeper.ts'
import { createComponents } from '../src/platform/systems/components.ts'
import { createSystem } from '../src/platform/systems/systems.ts'
import { fetchSupport } from '../src/store/systems/component-support.ts'
import { findDomainBySlug, readDomain } from '../src/store/domains.ts'
import { EVERYWHERE } from '../src/platform/systems/reach.ts'

const PER_COMPONENT = 10

export const MODEL = {
  characteristics: Array.from({ length: PER_COMPONENT }, (_, index) => ({
    code: `measure-${index}`,
    name: `Measure ${index}`,
    characteristicType: 'MEASUREMENT',
    dataType: 'FLOAT',
  })),
  services: [
    {
      code: 'measuring',
      name: 'Measuring',
      characteristics: Array.from({ length: PER_COMPONENT }, (_, index) => ({ code: `measure-${index}` })),
    },
  ],
  componentModels: [{ code: 'meter', name: 'Meter', componentType: 'DEVICE', services: [{ code: 'measuring' }] }],
}

/** A site on a platform that had none. */
export interface Site {
  readonly domainId: number
  /** Makes so many series, each as the JSON of a datapoint up to its value. Nobody has written to them before. */
  add(count: number, perSystem?: number): Promise<string[]>
}

export async function openSite(database: Database): Promise<Site> {
  const context = await localDomain(database)
  const { plan } = await planImport(context, MODEL, null)
  await applyImport(context, { document: MODEL, settings: null, plan, origin: {} })
  return {
    domainId: context.domain.id,
    async add(count, perSystem = count) {
      const series: string[] = []
      while (series.length < count)
        for (const one of await addSystem(context, Math.min(perSystem, count - series.length))) series.push(one)
      return series
    },
  }
}

/** Makes so many series on a platform that has none; each as the JSON of a datapoint up to its value. */
export async function makeSeries(database: Database, count: number): Promise<string[]> {
  return (await openSite(database)).add(count)
}

async function addSystem(context: DomainContext, count: number): Promise<string[]> {
  const { database, domain } = context
  const { uuid: system } = await createSystem(context, EVERYWHERE, { name: 'Bench' })
  const inputs = Array.from({ length: Math.ceil(count / PER_COMPONENT) }, (_, index) => ({
    system,
    componentModel: 'meter',
    name: `Meter ${index}`,
  }))
  const components = await createComponents(context, EVERYWHERE, inputs)
  const [support] = await readDomain(database, domain.id, (sql) =>
    fetchSupport(sql, domain.id, [components[0]?.uuid ?? '']),
  )
  const all = components.flatMap(({ uuid }) =>
    (support?.pairs ?? []).map(
      ({ serviceUuid, characteristicUuid }) =>
        `{"characteristic_uuid":"${characteristicUuid}","component_uuid":"${uuid}","service_uuid":"${serviceUuid}","system_uuid":"${system}","value":`,
    ),
  )
  return all.slice(0, count)
}

function now(): Date {
  return new Date()
}

async function localDomain(database: Database): Promise<DomainContext> {
  const domain = await database.read((sql) => findDomainBySlug(sql, 'local'))
  if (domain === null) throw new Error('the server made no domain')
  const key = randomBytes(32)
  return {
    database,
    domain,
    actorName: 'bench',
    now,
    newId: () => crypto.randomUUID(),
    secrets: new SecretKeeper(key, now),
    key: new DataKey(key),
    external: externalProviders({ allowedOrigins: [], now }),
    grants: new GrantKeeper(database),
  }
}
