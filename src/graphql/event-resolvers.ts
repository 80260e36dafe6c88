import type { JsonObject } from '../lib/json.ts'
import type { MetadataArgument, PageArguments, PageView } from './system-resolvers.ts'

// What the schema asks of the platform about events.

export interface EventView {
  readonly uuid: string
  readonly model: string
  readonly modelBody: JsonObject
  readonly systemUuid: string
  readonly componentUuid: string | null
  /** RFC 3339. */
  readonly at: string
  readonly endAt: string | null
  readonly message: string | null
  readonly metadata: readonly JsonObject[]
  readonly actor: string
  readonly createdAt: Date
}

export interface NewEventArguments {
  readonly uuid?: string | null
  readonly eventModel: string
  readonly system?: string | null
  readonly component?: string | null
  readonly at?: string | null
  readonly endAt?: string | null
  readonly message?: string | null
  readonly metadataKeyValueStore?: readonly MetadataArgument[] | null
}

export interface EventListArguments extends PageArguments {
  readonly filter?: {
    readonly systems?: readonly string[] | null
    readonly components?: readonly string[] | null
    readonly eventModels?: readonly string[] | null
    readonly levels?: readonly string[] | null
    readonly from?: string | null
    readonly to?: string | null
    readonly isOpen?: boolean | null
  } | null
}

export interface EventResolvers {
  listEvents(query: EventListArguments): Promise<PageView<EventView>>
  findEvent(uuid: string): Promise<EventView | null>
  createEvent(input: NewEventArguments): Promise<EventView>
  endEvent(uuid: string, at: string | null): Promise<EventView>
}
