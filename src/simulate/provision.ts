import { HoldfastError } from '../lib/errors.ts'
import type { GraphqlClient } from '../client/graphql-client.ts'
import { CREATE_COMPONENTS, CREATE_SYSTEM, FIND_SYSTEM, type FoundSystem } from './graphql-queries.ts'
import type { PlatformModel } from './platform-model.ts'
import { isKnownModel } from './site/series.ts'
import type { PlannedComponent, SitePlan } from './site/site-plan.ts'
import { stableUuid } from '../lib/uuid.ts'

/** A site whose system and components exist on the platform. */
export interface Provisioned {
  readonly plan: SitePlan
  readonly systemUuid: string
  /** The components by uuid whose models the platform knows. */
  readonly components: ReadonlyMap<string, PlannedComponent>
  readonly isNew: boolean
}

/** The codes of component models that the sites need and the platform lacks. */
export function missingModels(plans: readonly SitePlan[], model: PlatformModel): string[] {
  const wanted = new Set(plans.flatMap(({ components }) => components.map((one) => one.model)))
  return [...wanted].filter((code) => !model.hasComponentModel(code)).sort()
}

/** Finds or creates the system of a site, and creates the components that it lacks. */
export async function provision(request: GraphqlClient, model: PlatformModel, plan: SitePlan): Promise<Provisioned> {
  const systemUuid = stableUuid('holdfast simulate', model.domain, String(plan.house.seed), plan.house.id)
  const components = componentsOf(plan, systemUuid, model)
  const found = await request<FoundSystem>(FIND_SYSTEM, { uuid: systemUuid })
  refuseInactive(found)
  if (found.system === null) await request(CREATE_SYSTEM, { input: systemInput(plan, systemUuid, model) })
  const known = new Set(found.components.nodes.map(({ uuid }) => uuid))
  const lacking = [...components].filter(([uuid]) => !known.has(uuid))
  if (lacking.length > 0) {
    const input = lacking.map(([uuid, component]) => componentInput(component, uuid, systemUuid, model))
    await request(CREATE_COMPONENTS, { input })
  }
  return { plan, systemUuid, components, isNew: found.system === null }
}

function componentsOf(
  { components }: SitePlan,
  systemUuid: string,
  model: PlatformModel,
): Map<string, PlannedComponent> {
  const usable = components.filter((one) => isKnownModel(one.model) && model.hasComponentModel(one.model))
  return new Map(usable.map((component) => [stableUuid(systemUuid, component.id, component.model), component]))
}

function refuseInactive({ system }: FoundSystem): void {
  if (system === null || system.status === 'ACTIVATED') return
  throw new HoldfastError(
    'CONFLICT',
    `the system ${JSON.stringify(system.name)} is ${system.status} and takes no data; activate it, or make another site with another --seed`,
  )
}

function systemInput({ name, organizationUnit, house }: SitePlan, uuid: string, model: PlatformModel): object {
  const commissioned = { key: 'commissioned-at', value: `${2019 + (house.seed % 5)}-09-02T08:00:00Z` }
  return {
    uuid,
    name,
    ...(model.hasUnit(organizationUnit) && { organizationUnit }),
    ...(model.hasMetadataType('SYSTEM', commissioned.key) && { metadataKeyValueStore: [commissioned] }),
  }
}

function componentInput(component: PlannedComponent, uuid: string, system: string, model: PlatformModel): object {
  const serial = { key: 'serial-number', value: `SIM-${uuid.slice(0, 8).toUpperCase()}-${uuid.slice(9, 13)}` }
  return {
    uuid,
    system,
    componentModel: component.model,
    name: component.name,
    ...(model.hasMetadataType('COMPONENT', serial.key) && { metadataKeyValueStore: [serial] }),
  }
}
