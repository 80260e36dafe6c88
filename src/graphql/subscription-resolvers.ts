import type { ApplyView } from './apply-view.ts'
import type { LatestArguments, LatestDatapointView } from './datapoint-resolvers.ts'
import type { EventView } from './event-resolvers.ts'
import type { SetpointView } from './setpoint-resolvers.ts'

// What the schema asks of the platform about what changes.

export interface SubscriptionArguments {
  /** A cursor that was given before. */
  readonly after?: string | null
}

export interface SeriesSubscriptionArguments extends SubscriptionArguments, Omit<LatestArguments, 'before'> {}

export interface EventSubscriptionArguments extends SubscriptionArguments {
  readonly systems?: readonly string[] | null
  readonly components?: readonly string[] | null
  readonly eventModels?: readonly string[] | null
  readonly levels?: readonly string[] | null
}

/** Whoever has seen these, and goes on after the cursor, has seen each change once. */
interface Changes {
  readonly cursor: string
}

export interface NewDatapointsView extends Changes {
  readonly datapoints: readonly LatestDatapointView[]
}

export interface SetpointChangesView extends Changes {
  readonly setpoints: readonly SetpointView[]
}

export interface EventChangesView extends Changes {
  readonly events: readonly EventView[]
}

export interface NewAppliesView extends Changes {
  readonly applies: readonly ApplyView[]
}

export interface SubscriptionResolvers {
  subscribeToDatapoints(args: SeriesSubscriptionArguments): Promise<AsyncIterable<NewDatapointsView>>
  subscribeToSetpoints(args: SeriesSubscriptionArguments): Promise<AsyncIterable<SetpointChangesView>>
  subscribeToEvents(args: EventSubscriptionArguments): Promise<AsyncIterable<EventChangesView>>
  subscribeToApplies(args: SubscriptionArguments): Promise<AsyncIterable<NewAppliesView>>
}
