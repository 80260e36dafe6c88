import type { Operations } from '../../generated/simulate-operations.ts'
import type { Call, Holdfast } from '../api-client/index.ts'
import { HoldfastError } from '../lib/errors.ts'
import { stableUuid } from '../lib/uuid.ts'
import { escapePart } from '../lib/pointer.ts'
import { DOCUMENTS } from './documents.ts'
import { readModel, type PlatformModel } from './platform-model.ts'
import { Series, type Supported } from './site/series.ts'
import { SiteSettings } from './house/settings.ts'
import type { PlannedComponent, SitePlan } from './house/site-plan.ts'
import { Site } from './site/site.ts'

type SiteAnswer = Operations['Site']['data']

/** A site whose system and components exist on the platform. */
export interface LiveSite {
  readonly site: Site
  readonly systemUuid: string
  /** The components whose models the platform knows, by uuid. */
  readonly components: ReadonlyMap<string, PlannedComponent>
  readonly isNew: boolean
  /** The last read model of the platform, and the series that devices can report by it. */
  model: PlatformModel
  series: readonly Series[]
}

export interface OpenOptions {
  /** The time when a site without data begins, in milliseconds since 1970. */
  readonly from: number
  /** The milliseconds between reports; null to use the setting of the gateway. */
  readonly interval: number | null
}

/** Finds or creates a site. It continues after its last datapoints, or at `from` if it has none. */
export async function openSite(
  holdfast: Holdfast,
  model: PlatformModel,
  plan: SitePlan,
  { from, interval }: OpenOptions,
): Promise<LiveSite> {
  const systemUuid = stableUuid('holdfast simulate', model.domain, String(plan.seed), plan.id)
  const usable = plan.components.filter((one) => model.componentModels.has(one.model))
  const components = new Map(usable.map((one) => [stableUuid(systemUuid, one.id, one.model), one]))
  const read = () => holdfast.query(DOCUMENTS.Site, { system: systemUuid })
  const found = await read()
  refuseInactive(found)
  const isNew = found.system === null
  if (isNew) await holdfast.mutate(DOCUMENTS.CreateSystem, { input: systemInput(plan, systemUuid, model) })
  const known = new Set(found.components.nodes.map(({ uuid }) => uuid))
  const input = [...components]
    .filter(([uuid]) => !known.has(uuid))
    .map((one) => componentInput(one, systemUuid, model))
  if (input.length > 0) await holdfast.mutate(DOCUMENTS.CreateComponents, { input })
  const answer = input.length > 0 ? await read() : found

  const supported = supportedOf(answer, { components }, model)
  const settings = new SiteSettings(plan)
  for (const { component, characteristic, isSetting, lastValue } of supported)
    if (isSetting && lastValue !== undefined) settings.set(component.id, characteristic, lastValue)
  if (interval !== null) settings.set('gateway', 'sending-interval', interval / 1_000)
  // Settings are reported when they are set, possibly before the values of that time, so they do not tell how far the
  // data goes.
  const measured = supported.filter(({ isSetting, lastTime }) => !isSetting && lastTime !== null)
  const end = Math.max(...measured.map(({ lastTime }) => lastTime ?? 0))
  const last = new Map(measured.map((one) => [`${one.component.id}/${one.characteristic}`, one.lastValue]))
  const site = measured.length === 0 ? new Site(plan, settings, from, null) : new Site(plan, settings, end, last)
  return { site, systemUuid, components, isNew, model, series: supported.map((one) => new Series(site, one)) }
}

/** Reads the model and the series of the same site again. */
export async function reopenSite(holdfast: Holdfast, live: LiveSite, call: Call): Promise<void> {
  const answer = await holdfast.query(DOCUMENTS.Site, { system: live.systemUuid }, call)
  live.model = await readModel(holdfast, call)
  live.series = supportedOf(answer, live, live.model).map((one) => new Series(live.site, one))
}

function supportedOf(
  { components: { nodes }, latestDatapoints }: SiteAnswer,
  { components }: Pick<LiveSite, 'components'>,
  { characteristics }: PlatformModel,
): Supported[] {
  const latest = new Map(latestDatapoints.map((one) => [keyOf(one.componentUuid, one), one]))
  return nodes.flatMap(({ uuid, status, supports }) => {
    const component = components.get(uuid)
    if (component === undefined || status !== 'ACTIVATED') return []
    return supports.flatMap((one): Supported[] => {
      const definition = characteristics.get(one.characteristic)
      const isActivated = one.serviceStatus === 'ACTIVATED' && one.characteristicStatus === 'ACTIVATED'
      if (definition === undefined || !isActivated) return []
      const last = latest.get(keyOf(uuid, one))
      return [
        {
          component,
          characteristic: one.characteristic,
          isSetting: one.characteristicType === 'SETTING',
          definition,
          uuid,
          path: `${escapePart(one.service)}/${escapePart(one.characteristic)}`,
          lastValue: last?.value,
          lastTime: last === undefined ? null : Date.parse(last.timestamp),
        },
      ]
    })
  })
}

function keyOf(component: string, one: { readonly service: string; readonly characteristic: string }): string {
  return `${component}/${one.service}/${one.characteristic}`
}

function refuseInactive({ system }: SiteAnswer): void {
  if (system === null || system.status === 'ACTIVATED') return
  throw new HoldfastError(
    'CONFLICT',
    `the system ${JSON.stringify(system.name)} is ${system.status} and takes no data; activate it, or make another site with another --seed`,
  )
}

function systemInput({ name, organizationUnit, seed }: SitePlan, uuid: string, model: PlatformModel) {
  const metadata = metadataOf(model, 'SYSTEM', 'commissioned-at', `${2019 + (seed % 5)}-09-02T08:00:00Z`)
  return { uuid, name, ...(model.units.has(organizationUnit) && { organizationUnit }), ...metadata }
}

function componentInput([uuid, one]: [string, PlannedComponent], system: string, model: PlatformModel) {
  const serial = `SIM-${uuid.slice(0, 8).toUpperCase()}-${uuid.slice(9, 13)}`
  return {
    uuid,
    system,
    componentModel: one.model,
    name: one.name,
    ...metadataOf(model, 'COMPONENT', 'serial-number', serial),
  }
}

/** Leaves out metadata that has no type in the model. */
function metadataOf({ metadataTypes }: PlatformModel, entity: string, key: string, value: string) {
  return metadataTypes.has(`${entity}/${key}`) ? { metadataKeyValueStore: [{ key, value }] } : {}
}
