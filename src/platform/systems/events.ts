import { microsecondsOf } from '../../datapoints/wire/timestamp.ts'
import type { Sql } from '../../db/sql.ts'
import { timestampText } from '../../datapoints/wire/timestamp-text.ts'
import { HoldfastError } from '../../lib/errors.ts'
import type { RecordBody } from '../../records/record-type.ts'
import { DATA_TYPES } from '../../records/types/data-types.ts'
import { readDomain, writeData } from '../../store/domains.ts'
import {
  countEvents,
  endStoredEvent,
  fetchEvent,
  fetchEventPage,
  insertEvent,
  type EventFilter,
  type StoredEvent,
  type WrittenEvent,
} from '../../store/systems/events.ts'
import type { DomainContext } from '../domain-context.ts'
import { checkedText } from './checked-text.ts'
import { placeOf, type GivenPlace } from './event-place.ts'
import { isSinglePoint, readAnyInstant, readEnd, timesOf, type GivenTimes } from './event-times.ts'
import { fetchEntityRules, keepUnique, newMetadata, type MetadataInput } from './metadata.ts'
import { pageOf, type Page, type PageRequest } from '../page.ts'
import { isWithin, reaches, requireOwnSystem, withinReach, type Reach } from './reach.ts'
import { requireRecords } from './references.ts'

export type Event = StoredEvent

/** A new event. It belongs to a system or to a component, as the entityType of its model says. */
export interface NewEvent extends GivenPlace, GivenTimes {
  /** The uuid, so that the same event can be sent again; left out for a new one. */
  readonly uuid?: string | null
  /** The key of the event model. */
  readonly model: string
  readonly message?: string | null
  readonly metadata?: readonly MetadataInput[] | null
}

/** Creates an event. The same event sent again gets the first one as answer. */
export async function createEvent(context: DomainContext, actor: Reach, input: NewEvent): Promise<Event> {
  const { database, domain } = context
  const made = await writeData(database, domain.id, async (sql) => {
    const model = await requireModel(sql, domain.id, input.model)
    const place = await placeOf(sql, domain.id, actor, model, input)
    requireOwnSystem(actor, place.systemUuid)
    const rules = await fetchEntityRules(sql, domain.id, 'EVENT')
    const event = {
      uuid: input.uuid ?? context.newId(),
      model: input.model,
      ...place,
      ...timesOf(model, input, microsecondsOf(context.now())),
      message: input.message == null ? null : checkedText(input.message, 'the message'),
      metadata: newMetadata(rules, input.metadata ?? []),
      actor: context.actor,
      createdAt: context.now(),
    }
    if (!(await insertEvent(sql, domain.id, event)))
      return sentAgain(await fetchEvent(sql, domain.id, event.uuid), actor, event, input)
    await keepUnique(sql, domain.id, rules, [event])
    return requireEvent(sql, domain.id, actor, event.uuid)
  })
  context.changes?.signal(domain.id, 'events')
  return made
}

async function requireModel(sql: Sql, domainId: number, key: string): Promise<RecordBody> {
  const models = await requireRecords(sql, domainId, DATA_TYPES.eventModel, [key])
  return models.get(key)?.body ?? {}
}

function sentAgain(first: Event | null, actor: Reach, again: WrittenEvent, { at }: NewEvent): Event {
  const isSame = (name: 'model' | 'systemUuid' | 'componentUuid') => first?.[name] === again[name]
  if (first !== null && reaches(actor, first) && (['model', 'systemUuid', 'componentUuid'] as const).every(isSame))
    if (at == null || first.beginsAt === again.beginsAt) return first
  throw new HoldfastError('CONFLICT', `there is another event ${again.uuid} already`)
}

/** Ends a range. Ending it again at the same time gets the same answer. */
export async function endEvent(context: DomainContext, actor: Reach, uuid: string, at: string | null): Promise<Event> {
  const { database, domain } = context
  const ended = await writeData(database, domain.id, async (sql) => {
    const event = await requireEvent(sql, domain.id, actor, uuid)
    requireOwnSystem(actor, event.systemUuid)
    if (isSinglePoint(event.modelBody))
      throw new HoldfastError('BAD_USER_INPUT', `the event ${uuid} is a single point in time: it has no end`)
    const now = microsecondsOf(context.now())
    const end = at === null ? Math.max(now, event.beginsAt) : readEnd(at, event.beginsAt, now)
    const isEnded = await endStoredEvent(sql, domain.id, uuid, end)
    const after = await requireEvent(sql, domain.id, actor, uuid)
    if (isEnded || after.endsAt === end) return after
    throw new HoldfastError('CONFLICT', `the event ${uuid} has ended already, at ${timestampText(after.endsAt ?? end)}`)
  })
  context.changes?.signal(domain.id, 'events')
  return ended
}

async function requireEvent(sql: Sql, domainId: number, actor: Reach, uuid: string): Promise<Event> {
  const event = await fetchEvent(sql, domainId, uuid)
  if (event === null || !isWithin(actor, event.unitUuid))
    throw new HoldfastError('NOT_FOUND', `there is no event ${uuid}`)
  return event
}

/** Null where there is none, or none that the actor may see. */
export async function findEvent(
  { database, domain }: DomainContext,
  actor: Reach,
  uuid: string,
): Promise<Event | null> {
  const event = await readDomain(database, domain.id, (sql) => fetchEvent(sql, domain.id, uuid))
  return event !== null && reaches(actor, event) ? event : null
}

export interface EventQuery extends Omit<EventFilter, 'from' | 'to' | 'units'> {
  /** RFC 3339. */
  readonly from?: string
  readonly to?: string
}

/** Lists the events in the actor's reach, the newest first. */
export async function listEvents(
  context: DomainContext,
  actor: Reach,
  { from, to, ...query }: EventQuery,
  { first, after }: PageRequest,
): Promise<Page<Event>> {
  const { database, domain } = context
  const filter: EventFilter = {
    ...withinReach(actor, query),
    ...(from !== undefined && { from: readAnyInstant(from, 'from') }),
    ...(to !== undefined && { to: readAnyInstant(to, 'to') }),
  }
  return readDomain(database, domain.id, async (sql) => {
    const found = await fetchEventPage(sql, domain.id, filter, { first: first + 1, after })
    const total = await countEvents(sql, domain.id, filter)
    return pageOf(found, first, total)
  })
}
