import { microsecondsOf } from '../../datapoints/timestamp.ts'
import type { Sql } from '../../db/sql.ts'
import { timestampText } from '../../datapoints/timestamp-text.ts'
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
} from '../../store/events.ts'
import type { Actor } from '../access/actor.ts'
import type { DomainContext } from '../domain-context.ts'
import { checkedText } from './checked-text.ts'
import { placeOf, type GivenPlace } from './event-place.ts'
import { isSinglePoint, readAnyInstant, readEnd, timesOf, type GivenTimes } from './event-times.ts'
import { mayTouchSystem, requireSystem, visibleSystems } from './may-touch-system.ts'
import { fetchEntityRules, keepUnique, newMetadata, type MetadataInput } from './metadata.ts'
import { pageOf, type Page, type PageRequest } from '../page.ts'
import { requireRecords } from './references.ts'

export type Event = StoredEvent

/** Its place is a system or a component, as the entityType of the model says. */
export interface NewEvent extends GivenPlace, GivenTimes {
  /** Left out: a new one. Given, the same event can be sent again. */
  readonly uuid?: string | null
  /** The key of the event model. */
  readonly model: string
  readonly message?: string | null
  readonly metadata?: readonly MetadataInput[] | null
}

type Bound = Pick<Actor, 'systemUuid'>

/** The same event sent again is answered with the first. */
export async function createEvent(context: DomainContext, actor: Bound, input: NewEvent): Promise<Event> {
  const { database, domain } = context
  const made = await writeData(database, domain.id, async (sql) => {
    const model = await requireModel(sql, domain.id, input.model)
    const place = await placeOf(sql, domain.id, model, input)
    requireSystem(actor, place.systemUuid)
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
      return sentAgain(await requireEvent(sql, domain.id, event.uuid), event, input)
    await keepUnique(sql, domain.id, rules, [event])
    return requireEvent(sql, domain.id, event.uuid)
  })
  context.changes?.signal(domain.id, 'events')
  return made
}

async function requireModel(sql: Sql, domainId: number, key: string): Promise<RecordBody> {
  const models = await requireRecords(sql, domainId, DATA_TYPES.eventModel, [key])
  return models.get(key)?.body ?? {}
}

function sentAgain(first: Event, again: Omit<Event, 'modelBody'>, { at }: NewEvent): Event {
  const isSameThere = (['model', 'systemUuid', 'componentUuid'] as const).every((name) => first[name] === again[name])
  if (isSameThere && (at == null || first.beginsAt === again.beginsAt)) return first
  throw new HoldfastError('CONFLICT', `there is another event ${first.uuid} already`)
}

/** Ends a range; ended at the same time again it is answered as the first time. */
export async function endEvent(context: DomainContext, actor: Bound, uuid: string, at: string | null): Promise<Event> {
  const { database, domain } = context
  const ended = await writeData(database, domain.id, async (sql) => {
    const event = await requireEvent(sql, domain.id, uuid)
    requireSystem(actor, event.systemUuid)
    if (isSinglePoint(event.modelBody))
      throw new HoldfastError('BAD_USER_INPUT', `the event ${uuid} is a single point in time: it has no end`)
    const now = microsecondsOf(context.now())
    const end = at === null ? Math.max(now, event.beginsAt) : readEnd(at, event.beginsAt, now)
    const isEnded = await endStoredEvent(sql, domain.id, uuid, end)
    const after = await requireEvent(sql, domain.id, uuid)
    if (isEnded || after.endsAt === end) return after
    throw new HoldfastError('CONFLICT', `the event ${uuid} has ended already, at ${timestampText(after.endsAt ?? end)}`)
  })
  context.changes?.signal(domain.id, 'events')
  return ended
}

async function requireEvent(sql: Sql, domainId: number, uuid: string): Promise<Event> {
  const event = await fetchEvent(sql, domainId, uuid)
  if (event === null) throw new HoldfastError('NOT_FOUND', `there is no event ${uuid}`)
  return event
}

/** Null where there is none, or none that the actor may see. */
export async function findEvent(
  { database, domain }: DomainContext,
  actor: Bound,
  uuid: string,
): Promise<Event | null> {
  const event = await readDomain(database, domain.id, (sql) => fetchEvent(sql, domain.id, uuid))
  return event !== null && mayTouchSystem(actor, event.systemUuid) ? event : null
}

export interface EventQuery extends Omit<EventFilter, 'from' | 'to'> {
  /** RFC 3339. */
  readonly from?: string
  readonly to?: string
}

/** The newest first; a device sees those of its system. */
export async function listEvents(
  context: DomainContext,
  actor: Bound,
  { from, to, ...query }: EventQuery,
  { first, after }: PageRequest,
): Promise<Page<Event>> {
  const { database, domain } = context
  const filter: EventFilter = {
    ...query,
    systems: visibleSystems(actor, query.systems),
    ...(from !== undefined && { from: readAnyInstant(from, 'from') }),
    ...(to !== undefined && { to: readAnyInstant(to, 'to') }),
  }
  return readDomain(database, domain.id, async (sql) => {
    const found = await fetchEventPage(sql, domain.id, filter, { first: first + 1, after })
    const total = await countEvents(sql, domain.id, filter)
    return pageOf(found, first, total)
  })
}
