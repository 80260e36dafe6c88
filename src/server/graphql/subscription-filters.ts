import type { EventSubscriptionArguments, SeriesSubscriptionArguments } from '../../graphql/subscription-resolvers.ts'
import { isMeant } from '../../platform/changes/subscription-filter.ts'
import type { SeriesFilter } from '../../store/datapoints/readable-series.ts'
import type { StoredEvent } from '../../store/systems/events.ts'
import type { StoredSetpoint } from '../../store/setpoints/setpoints.ts'
import { checkName, checkText, checkUuid } from './arguments.ts'

// What of all that changes somebody follows; all that is said must hold.

export function seriesFilter({
  systems,
  components,
  services,
  characteristics,
}: SeriesSubscriptionArguments): SeriesFilter {
  return {
    ...placesOf(systems, components),
    services: services?.map((name) => checkName(name, 'a service')),
    characteristics: characteristics?.map((name) => checkName(name, 'a characteristic')),
  }
}

type EventFilter = ReturnType<typeof eventFilter> & Pick<SeriesFilter, 'units'>

export function eventFilter({ systems, components, eventModels, levels }: EventSubscriptionArguments) {
  return {
    ...placesOf(systems, components),
    eventModels: eventModels?.map((name) => checkText(name, 'an event model')),
    levels: levels ?? undefined,
  }
}

type Names = readonly string[] | null | undefined

function placesOf(systems: Names, components: Names): Pick<SeriesFilter, 'systems' | 'components'> {
  return {
    systems: systems?.map((uuid) => checkUuid(uuid, 'systems')),
    components: components?.map((uuid) => checkUuid(uuid, 'components')),
  }
}

export function isSetpointMeant(
  setpoint: StoredSetpoint,
  { units, systems, components, services, characteristics }: SeriesFilter,
) {
  return (
    isMeant(units, setpoint.unitUuid) &&
    isMeant(systems, setpoint.systemUuid) &&
    isMeant(components, setpoint.componentUuid) &&
    isMeant(services, setpoint.serviceUuid, setpoint.service) &&
    isMeant(characteristics, setpoint.characteristicUuid, setpoint.characteristic)
  )
}

export function isEventMeant(
  event: StoredEvent,
  { units, systems, components, eventModels, levels }: EventFilter,
): boolean {
  return (
    isMeant(units, event.unitUuid) &&
    isMeant(systems, event.systemUuid) &&
    isMeant(components, event.componentUuid) &&
    isMeant(eventModels, event.model) &&
    isMeant(levels, String(event.modelBody['eventLevel']))
  )
}
