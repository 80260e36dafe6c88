import type { NewEvent } from '../../../generated/entities.ts'
import { timestampText } from '../../datapoints/wire/timestamp-text.ts'
import { HoldfastError } from '../../lib/errors.ts'
import type { EntityOf } from '../../records/entity.ts'
import { plainValue } from '../../records/metadata.ts'
import type { StoredEvent } from '../../store/systems/events.ts'
import { readAnyInstant } from './event-times.ts'
import { toJson } from './entity-metadata.ts'

/**
 * Returns the first event if no given value differs from it. Omitted values are not compared, so that an event that has
 * ended since is still the same.
 */
export function sameEvent(first: StoredEvent, again: EntityOf<'Event'>, given: NewEvent): StoredEvent {
  const names = differences(first, again, given)
  if (names.length === 0) return first
  const differ = `its ${names.join(' and ')} ${names.length === 1 ? 'differs' : 'differ'}`
  const advice = names.includes('endAt') ? endOf(first) : 'give another event another uuid'
  throw otherEvent(first.uuid, `, and nothing was changed: ${differ} from what is stored; ${advice}`)
}

export function otherEvent(uuid: string, more = ''): HoldfastError {
  return new HoldfastError('CONFLICT', `there is another event ${uuid} already${more}`)
}

function differences(first: StoredEvent, again: EntityOf<'Event'>, given: NewEvent): readonly string[] {
  const isOther = {
    eventModel: again.eventModel !== first.eventModel,
    system: given.system != null && again.systemUuid !== first.systemUuid,
    component: given.component != null && again.componentUuid !== first.componentUuid,
    at: given.at != null && readAnyInstant(given.at, 'at') !== first.at,
    endAt: given.endAt != null && readAnyInstant(given.endAt, 'endAt') !== first.endAt,
    message: given.message != null && again.message !== first.message,
  }
  const fields = Object.entries(isOther).flatMap(([name, differs]) => (differs ? [name] : []))
  return [...fields, ...metadataDifferences(first, again, given)]
}

/** Omitted metadata has defaults, which may have changed. A 5 stays if its MetadataType was INTEGER and is FLOAT. */
function metadataDifferences(first: StoredEvent, again: EntityOf<'Event'>, given: NewEvent): readonly string[] {
  const keys = (given.metadataKeyValueStore ?? []).map(({ key }) => key)
  const [before, now] = [metadataTexts(first), metadataTexts(again)]
  return keys.filter((key) => before.get(key) !== now.get(key)).map((key) => `metadata ${JSON.stringify(key)}`)
}

function metadataTexts({ metadataKeyValueStore }: EntityOf<'Event'>): ReadonlyMap<string, string> {
  return new Map(metadataKeyValueStore?.map(({ key, value }) => [key, JSON.stringify(plainValue(toJson(value)))]))
}

function endOf({ eventType, endAt }: StoredEvent): string {
  if (eventType === 'SINGLE_POINT') return 'a single point in time has no end'
  return endAt === null ? 'it has not ended: end it by endEvent' : `it has ended already, at ${timestampText(endAt)}`
}
