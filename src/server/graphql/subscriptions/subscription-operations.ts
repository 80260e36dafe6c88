import { GraphQLObjectType, GraphQLString } from 'graphql'
import { toApply } from '../../../platform/imports/history/applies.ts'
import { checkedFilter, isMeant } from '../../../platform/changes/subscription-filter.ts'
import { toSetpoint } from '../../../platform/setpoints/setpoint.ts'
import type { ApplyRow } from '../../../store/model/applies.ts'
import type { SeriesFilter } from '../../../store/datapoints/series/readable-series.ts'
import type { StoredEvent } from '../../../store/systems/events.ts'
import type { StoredSetpoint } from '../../../store/setpoints/setpoints.ts'
import { checkListed, checkText } from '../../checked-arguments.ts'
import { LATEST_FIELDS, type SeriesPoint } from '../datapoints/types.ts'
import { EVENT_TYPE } from '../events.ts'
import { EVENT_LEVEL } from '../field-types.ts'
import { APPLY } from '../imports/types.ts'
import { subscription, type OperationFields } from '../operation.ts'
import { TEXT, TEXTS, UUIDS } from '../scalars.ts'
import { placesFilter, seriesFilter } from '../series-filter.ts'
import { SETPOINT_TYPE } from '../setpoints.ts'
import { list, nonNull, optional, type ValuesOf } from '../typed.ts'
import { followDatapoints, followRows, type Changes } from './follow.ts'

// A device receives only the changes of its own system.

function changes<Item>(
  name: string,
  field: string,
  type: GraphQLObjectType<Item>,
  description: string,
): GraphQLObjectType<Changes<Item>> {
  return new GraphQLObjectType<Changes<Item>>({
    name,
    description,
    fields: {
      cursor: {
        type: TEXT,
        description: 'Pass it as `after` to continue here, without a gap. A message may contain only a newer cursor.',
      },
      [field]: { type: nonNull(list(type)), description, resolve: ({ items }) => items },
    },
  })
}

const NEW_DATAPOINT = new GraphQLObjectType<SeriesPoint>({
  name: 'NewDatapoint',
  description: 'A point that was stored.',
  fields: LATEST_FIELDS,
})

const AFTER = { after: optional(GraphQLString, 'The cursor after which to continue. Left out: from now on.') }

const PLACE = {
  systems: optional(UUIDS, 'Only items of these systems; uuids.'),
  components: optional(UUIDS, 'Only items of these components; uuids.'),
}

const SERIES = {
  ...PLACE,
  services: optional(TEXTS, 'Only items of these services; uuids or record keys.'),
  characteristics: optional(TEXTS, 'Only items of these characteristics; uuids or record keys.'),
}

const EVENTS = {
  ...PLACE,
  eventModels: optional(TEXTS, 'Only events of these event models, by record key.'),
  levels: optional(list(EVENT_LEVEL), 'Only events of these levels.'),
}

export const SUBSCRIPTIONS: OperationFields = {
  datapoints: subscription({
    right: 'data:read',
    keepsWithin: true,
    type: changes('NewDatapoints', 'datapoints', NEW_DATAPOINT, 'Points that were stored.'),
    description:
      'Datapoints as they are stored, in their order. If the connection drops inside a block, the stream sends the whole block again. `after` also takes the X-Service-Change of an answer.',
    args: { ...SERIES, ...AFTER },
    async subscribe(call, { after, ...args }, followed) {
      const filter = await checkedFilter(call.context, call.actor, seriesFilter(args))
      return followDatapoints({ call, after, followed }, filter)
    },
  }),
  setpoints: subscription({
    right: 'data:read',
    keepsWithin: true,
    type: changes('SetpointChanges', 'setpoints', SETPOINT_TYPE, 'New and changed setpoints, in their present state.'),
    description: 'Setpoints when they are created, and whenever their state changes.',
    args: { ...SERIES, ...AFTER },
    async subscribe(call, { after, ...args }, followed) {
      const filter = await checkedFilter(call.context, call.actor, seriesFilter(args))
      return followRows(
        { call, after, followed },
        {
          topic: 'setpoints',
          isMeant: (setpoint: StoredSetpoint) => isSetpointMeant(setpoint, filter),
          show: toSetpoint,
        },
      )
    },
  }),
  events: subscription({
    right: 'data:read',
    keepsWithin: true,
    type: changes('EventChanges', 'events', EVENT_TYPE, 'New and ended events, in their present state.'),
    description: 'New events, and ranges when they end.',
    args: { ...EVENTS, ...AFTER },
    async subscribe(call, { after, ...args }, followed) {
      const filter = await checkedFilter(call.context, call.actor, eventFilter(args))
      return followRows(
        { call, after, followed },
        {
          topic: 'events',
          isMeant: (event: StoredEvent) => isEventMeant(event, filter),
          show: (event) => event,
        },
      )
    },
  }),
  applies: subscription({
    right: 'model:read',
    type: changes('NewApplies', 'applies', APPLY, 'Applies that were made.'),
    description: 'Applies of import documents when they are made.',
    args: AFTER,
    subscribe: (call, { after }, followed) =>
      followRows(
        { call, after, followed },
        {
          topic: 'applies',
          // Each message has one apply, because an apply can change all records. The changes are read only if they are
          // selected.
          part: { items: 1, text: Infinity },
          isMeant: (_: ApplyRow) => true,
          show: toApply,
        },
      ),
  }),
}

function isSetpointMeant(
  setpoint: StoredSetpoint,
  { units, systems, components, services, characteristics }: SeriesFilter,
): boolean {
  return (
    isMeant(units, setpoint.unitUuid) &&
    isMeant(systems, setpoint.systemUuid) &&
    isMeant(components, setpoint.componentUuid) &&
    isMeant(services, setpoint.serviceUuid, setpoint.service) &&
    isMeant(characteristics, setpoint.characteristicUuid, setpoint.characteristic)
  )
}

function eventFilter({ eventModels, levels, ...places }: ValuesOf<typeof EVENTS>) {
  return {
    ...placesFilter(places),
    eventModels:
      eventModels == null
        ? undefined
        : checkListed(eventModels, 'the list of event models').map((name) => checkText(name, 'an event model')),
    levels: levels == null ? undefined : checkListed(levels, 'levels'),
  }
}

type EventFilter = ReturnType<typeof eventFilter> & Pick<SeriesFilter, 'units'>

function isEventMeant(event: StoredEvent, { units, systems, components, eventModels, levels }: EventFilter): boolean {
  return (
    isMeant(units, event.unitUuid) &&
    isMeant(systems, event.systemUuid) &&
    isMeant(components, event.componentUuid) &&
    isMeant(eventModels, event.eventModel) &&
    isMeant(levels, event.eventLevel)
  )
}
