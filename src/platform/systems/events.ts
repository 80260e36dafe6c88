import type { NewEvent } from '../../../generated/entities.ts'
import { microsecondsOf } from '../../datapoints/wire/timestamp.ts'
import type { Sql } from '../../db/sql.ts'
import { timestampText } from '../../datapoints/wire/timestamp-text.ts'
import { HoldfastError } from '../../lib/errors.ts'
import type { RecordBody } from '../../records/record-type.ts'
import { EVENT } from '../../records/entities.ts'
import type { EntityFilterOf, EntityOf } from '../../records/entity.ts'
import { DATA_TYPES } from '../../records/types/data-types.ts'
import { readDomain } from '../../store/domains.ts'
import { countEntities, fetchEntityPage } from '../../store/entity-pages.ts'
import {
  endStoredEvent,
  eventsMeant,
  fetchEvent,
  fetchEvents,
  insertEvent,
  type StoredEvent,
} from '../../store/systems/events.ts'
import { changeData } from '../change-domain.ts'
import type { DomainContext } from '../domain-context.ts'
import { newEntity } from './entity-values.ts'
import { otherEvent, sameEvent } from './event-sent-again.ts'
import { subjectOf } from './event-subject.ts'
import { readAnyInstant, readEnd, timesOf } from './event-times.ts'
import { findEntities } from './find-entities.ts'
import { rethrowAt } from './input-problems.ts'
import { lookUpFilter } from './list-filter.ts'
import { fetchEntityRules, keepUnique } from './entity-metadata.ts'
import { pageOf, type Page, type PageRequest } from '../paging.ts'
import { reaches, withinReach, type Reach } from './reach.ts'
import { requireRecords } from './entity-references.ts'

export type Event = StoredEvent

/** Creates an event. Sent again, it gets the first answer, even if its place accepts no new events. */
export async function createEvent(context: DomainContext, actor: Reach, input: NewEvent): Promise<Event> {
  const { domain } = context
  const made = await changeData(context, async (sql) => {
    const rules = await fetchEntityRules(sql, domain.id, 'EVENT')
    const own = { uuid: context.newId(), actor: context.actorName, createdAt: context.now() }
    const given = newEntity(EVENT, input, own, rules)
    const event = await placed(sql, context, actor, given, input).catch(asRefusal)
    const isNew = !(event instanceof HoldfastError) && (await insertEvent(sql, domain.id, event))
    if (!isNew) {
      const first = await fetchEvent(sql, domain.id, given.uuid)
      if (first !== null && reaches(actor, first)) return sameEvent(first, given, input)
      throw event instanceof HoldfastError ? event : otherEvent(given.uuid)
    }
    await keepUnique(sql, domain.id, rules, [event])
    return requireEvent(sql, domain.id, actor, event.uuid)
  })
  context.changes?.signal(domain.id, 'events')
  return made
}

/** The event with its time and its system or component, which must accept new events. */
async function placed(
  sql: Sql,
  { domain, now }: DomainContext,
  actor: Reach,
  given: EntityOf<'Event'>,
  input: NewEvent,
): Promise<EntityOf<'Event'>> {
  const model = await requireModel(sql, domain.id, input.eventModel)
  const subject = await subjectOf(sql, domain.id, actor, model, given)
  return { ...given, ...subject, ...timesOf(model, input, microsecondsOf(now())) }
}

const REFUSALS: readonly string[] = ['BAD_USER_INPUT', 'CONFLICT', 'NOT_FOUND']

/** A repeated event is accepted even if a new one would be refused, so these errors are kept until that is known. */
function asRefusal(error: unknown): HoldfastError {
  if (error instanceof HoldfastError && REFUSALS.includes(error.code)) return error
  throw error
}

async function requireModel(sql: Sql, domainId: number, key: string): Promise<RecordBody> {
  const models = await requireRecords(sql, domainId, DATA_TYPES.eventModel, [key]).catch(rethrowAt('eventModel'))
  return models.get(key)?.body ?? {}
}

/** Ends a range. Ending it again at the same time returns the same answer. */
export async function endEvent(context: DomainContext, actor: Reach, uuid: string, at: string | null): Promise<Event> {
  const { domain } = context
  const ended = await changeData(context, async (sql) => {
    const event = await requireEvent(sql, domain.id, actor, uuid)
    const now = microsecondsOf(context.now())
    const end = at === null ? Math.max(now, event.at) : readEnd(at, event.at, now, 'at')
    const isEnded = await endStoredEvent(sql, domain.id, uuid, end)
    // An event that was created as a range can be ended, even if its model has changed.
    if (!isEnded && event.eventType === 'SINGLE_POINT')
      throw new HoldfastError('BAD_USER_INPUT', `the event ${uuid} is a single point in time: it has no end`)
    const after = await requireEvent(sql, domain.id, actor, uuid)
    if (isEnded || after.endAt === end) return after
    throw new HoldfastError('CONFLICT', `the event ${uuid} has ended already, at ${timestampText(after.endAt ?? end)}`)
  })
  context.changes?.signal(domain.id, 'events')
  return ended
}

async function requireEvent(sql: Sql, domainId: number, actor: Reach, uuid: string): Promise<Event> {
  const event = await fetchEvent(sql, domainId, uuid)
  if (event === null || !reaches(actor, event)) throw new HoldfastError('NOT_FOUND', `there is no event ${uuid}`)
  return event
}

/** Finds the events among these that the actor may see. */
export function findEvents(context: DomainContext, actor: Reach, uuids: readonly string[]): Promise<readonly Event[]> {
  return findEntities(context, actor, EVENT, uuids, fetchEvents)
}

/** Finds an event; null if there is none that the actor may see. */
export async function findEvent(
  { database, domain }: DomainContext,
  actor: Reach,
  uuid: string,
): Promise<Event | null> {
  const event = await readDomain(database, domain.id, (sql) => fetchEvent(sql, domain.id, uuid))
  return event !== null && reaches(actor, event) ? event : null
}

/** Lists the events in the actor's reach, the newest first. */
export async function listEvents(
  context: DomainContext,
  actor: Reach,
  { from, to, ...query }: EntityFilterOf<'Event'>,
  { first, after, mostCounted }: PageRequest,
): Promise<Page<Event>> {
  const { database, domain, budget } = context
  const times = {
    ...(from !== undefined && { from: readAnyInstant(from, 'from') }),
    ...(to !== undefined && { to: readAnyInstant(to, 'to') }),
  }
  return readDomain(database, domain.id, async (sql) => {
    const lookedUp = await lookUpFilter(sql, domain.id, EVENT, query)
    const meant = eventsMeant({ ...withinReach(actor, lookedUp), ...times })
    const found = await fetchEntityPage(sql, domain.id, EVENT, meant, {
      first: first + 1,
      after,
      by: 'begins_at',
      isDescending: true,
    })
    const total = await countEntities(sql, domain.id, EVENT, meant, mostCounted)
    return pageOf(found, first, total, budget)
  })
}
