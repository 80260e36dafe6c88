import { timestampText } from '../../datapoints/wire/timestamp-text.ts'
import type {
  SetpointListArguments,
  SetpointResolvers,
  SetpointView,
  SetSetpointsArguments,
} from '../../graphql/setpoint-resolvers.ts'
import type { Actor } from '../../platform/access/grants/actor.ts'
import type { DomainContext } from '../../platform/domain-context.ts'
import { findSetpoint, listSetpoints, type SetpointQuery } from '../../platform/setpoints/list-setpoints.ts'
import { setSetpoints, type Settings } from '../../platform/setpoints/set-setpoints.ts'
import type { Setpoint } from '../../platform/setpoints/setpoint.ts'
import { checkName, checkUuid } from './arguments.ts'
import { keysOf, pageRequest, pageView, uuidsOf } from './system-resolvers.ts'

/** What devices shall set. */
export function setpointResolversFor(context: DomainContext, actor: Actor): SetpointResolvers {
  return {
    async listSetpoints(query) {
      const page = { ...pageRequest(query), isOldestFirst: query.order === 'oldest first' }
      const { items, ...rest } = await listSetpoints(context, actor, setpointQuery(query), page)
      return pageView(query, { ...rest, items: items.map(toSetpointView) })
    },
    async findSetpoint(uuid) {
      const setpoint = await findSetpoint(context, actor, checkUuid(uuid, 'uuid'))
      return setpoint === null ? null : toSetpointView(setpoint)
    },
    setSetpoints: async (given) => (await setSetpoints(context, actor, settingsOf(given))).map(toSetpointView),
  }
}

export function toSetpointView({ setAt, change: _, ...setpoint }: Setpoint): SetpointView {
  return { ...setpoint, setAt: timestampText(setAt) }
}

function settingsOf({ components, models, expiresAt, expiresIn }: SetSetpointsArguments): Settings {
  return {
    components: (components ?? []).map(({ component, ...setting }, index) => ({
      ...named(setting),
      component: checkUuid(component, `components[${index}].component`),
    })),
    models: (models ?? []).map(({ systems, organizationUnits, ...setting }, index) => ({
      ...named(setting),
      ...(systems && { systems: systems.map((uuid) => checkUuid(uuid, `models[${index}].systems`)) }),
      ...(organizationUnits && { organizationUnits: keysOf(organizationUnits) }),
    })),
    ...(expiresAt != null && { expiresAt }),
    ...(expiresIn != null && { expiresIn }),
  }
}

function named<Setting extends { readonly service: string; readonly characteristic: string }>(
  setting: Setting,
): Setting {
  const { service, characteristic } = setting
  return {
    ...setting,
    service: checkName(service, 'a service'),
    characteristic: checkName(characteristic, 'a characteristic'),
  }
}

function setpointQuery({ filter }: SetpointListArguments): SetpointQuery {
  const { systems, components, services, characteristics, states, from, to } = filter ?? {}
  return {
    ...(systems && { systems: uuidsOf(systems, 'systems') }),
    ...(components && { components: uuidsOf(components, 'components') }),
    ...(services && { services: keysOf(services) }),
    ...(characteristics && { characteristics: keysOf(characteristics) }),
    ...(states && { states }),
    ...(from != null && { from }),
    ...(to != null && { to }),
  }
}
