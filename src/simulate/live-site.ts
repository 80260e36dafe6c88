import type { GraphqlClient } from '../client/graphql-client.ts'
import { READ_SITE, type LatestAnswer, type SiteAnswer, type SupportAnswer } from './graphql-queries.ts'
import type { PlatformModel } from './platform-model.ts'
import type { Provisioned } from './provision.ts'
import { seriesOf, type Series, type Supported } from './site/series.ts'
import { SiteSettings } from './site/settings.ts'
import { newSite, resumedSite, type Site } from './site/site.ts'

/** A site with the series that its devices can report. */
export interface LiveSite extends Provisioned {
  readonly site: Site
  readonly series: readonly Series[]
}

export interface OpenOptions {
  /** The time when a site without data begins, in milliseconds since 1970. */
  readonly from: number
  /** The milliseconds between reports; null for the setting of the gateway. */
  readonly interval: number | null
}

/** Opens a site. It continues where its data ends, or begins at `from` without data. */
export async function openSite(
  request: GraphqlClient,
  model: PlatformModel,
  provisioned: Provisioned,
  { from, interval }: OpenOptions,
): Promise<LiveSite> {
  const { plan, systemUuid } = provisioned
  const answer = await request<SiteAnswer>(READ_SITE, { system: systemUuid })
  const supported = supportedOf(answer, provisioned, model)
  const settings = new SiteSettings(plan)
  for (const { component, characteristic, isSetting, lastValue } of supported)
    if (isSetting && lastValue !== undefined) settings.set(component.id, characteristic, lastValue)
  if (interval !== null) settings.set('gateway', 'sending-interval', interval / 1_000)
  const measured = new Map(
    supported
      .filter((one) => !one.isSetting)
      .map((one) => [`${one.component.id}/${one.characteristic}`, one.lastValue]),
  )
  const end = endOfData(answer.latestDatapoints, supported)
  const site =
    end === null
      ? newSite(plan, settings, from)
      : resumedSite(plan, settings, end, (component, characteristic) => measured.get(`${component}/${characteristic}`))
  return { ...provisioned, site, series: seriesOf(site, supported) }
}

/** The series of the same site by the present model. */
export async function reopenSite(
  request: GraphqlClient,
  model: PlatformModel,
  live: LiveSite,
): Promise<readonly Series[]> {
  const answer = await request<SiteAnswer>(READ_SITE, { system: live.systemUuid })
  return seriesOf(live.site, supportedOf(answer, live, model))
}

function supportedOf(
  { components, latestDatapoints }: SiteAnswer,
  { systemUuid, components: planned }: Provisioned,
  model: PlatformModel,
): Supported[] {
  const latest = new Map(latestDatapoints.map((one) => [keyOf(one.componentUuid, one), one.value]))
  return components.nodes.flatMap(({ uuid, supports }) => {
    const component = planned.get(uuid)
    if (component === undefined) return []
    return supports.flatMap((one): Supported[] => {
      const definition = model.characteristic(one.characteristic)
      if (definition === undefined || !takesData(one)) return []
      return [
        {
          component,
          service: one.service,
          characteristic: one.characteristic,
          isSetting: one.characteristicType === 'SETTING',
          definition,
          uuids: {
            system: systemUuid,
            component: uuid,
            service: one.serviceUuid,
            characteristic: one.characteristicUuid,
          },
          lastValue: latest.get(keyOf(uuid, one)),
        },
      ]
    })
  })
}

function takesData({ serviceStatus, characteristicStatus }: SupportAnswer): boolean {
  return serviceStatus === 'ACTIVATED' && characteristicStatus === 'ACTIVATED'
}

function keyOf(
  component: string,
  { service, characteristic }: Pick<LatestAnswer, 'service' | 'characteristic'>,
): string {
  return `${component}/${service}/${characteristic}`
}

/**
 * The time of the last measured value. Settings are left out, because they are reported when they are set, even
 * before the values of that time were sent.
 */
function endOfData(latest: readonly LatestAnswer[], supported: readonly Supported[]): number | null {
  const measured = new Set(supported.filter((one) => !one.isSetting).map((one) => keyOf(one.uuids.component, one)))
  const times = latest
    .filter((one) => measured.has(keyOf(one.componentUuid, one)))
    .map(({ timestamp }) => Date.parse(timestamp))
  return times.length === 0 ? null : Math.max(...times)
}
