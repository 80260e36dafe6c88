import { timestampText } from '../../datapoints/wire/timestamp-text.ts'
import type { EventListArguments, EventResolvers, EventView } from '../../graphql/event-resolvers.ts'
import type { Actor } from '../../platform/access/grants/actor.ts'
import type { DomainContext } from '../../platform/domain-context.ts'
import { isSinglePoint } from '../../platform/systems/event-times.ts'
import {
  createEvent,
  endEvent,
  findEvent,
  listEvents,
  type Event,
  type EventQuery,
} from '../../platform/systems/events.ts'
import { checkUuid } from './arguments.ts'
import { keysOf, newUuid, pageRequest, pageView, uuidsOf } from './system-resolvers.ts'

/** What happened to systems and components. */
export function eventResolversFor(context: DomainContext, actor: Actor): EventResolvers {
  return {
    async listEvents(query) {
      const page = await listEvents(context, actor, eventQuery(query), pageRequest(query))
      return pageView(query, { ...page, items: page.items.map(toView) })
    },
    async findEvent(uuid) {
      const event = await findEvent(context, actor, checkUuid(uuid, 'uuid'))
      return event === null ? null : toView(event)
    },
    async createEvent({ eventModel, system, component, metadataKeyValueStore: metadata, ...input }) {
      const event = await createEvent(context, actor, {
        ...input,
        ...newUuid(input),
        model: eventModel,
        systemUuid: system == null ? null : checkUuid(system, 'system'),
        componentUuid: component == null ? null : checkUuid(component, 'component'),
        metadata: metadata ?? null,
      })
      return toView(event)
    },
    endEvent: async (uuid, at) => toView(await endEvent(context, actor, checkUuid(uuid, 'uuid'), at)),
  }
}

export function toView({ beginsAt, endsAt, ...event }: Event): EventView {
  const hasEnd = endsAt !== null && !isSinglePoint(event.modelBody)
  return { ...event, at: timestampText(beginsAt), endAt: hasEnd ? timestampText(endsAt) : null }
}

function eventQuery({ filter }: EventListArguments): EventQuery {
  const { systems, components, eventModels, levels, from, to, isOpen } = filter ?? {}
  return {
    ...(systems && { systems: uuidsOf(systems, 'systems') }),
    ...(components && { components: uuidsOf(components, 'components') }),
    ...(eventModels && { eventModels: keysOf(eventModels) }),
    ...(levels && { levels }),
    ...(from != null && { from }),
    ...(to != null && { to }),
    ...(isOpen != null && { isOpen }),
  }
}
