import { readTimestampText, timestampLimits, type TimestampLimits } from '../../datapoints/wire/timestamp.ts'
import { timestampText } from '../../datapoints/wire/timestamp-text.ts'
import { isViolation } from '../../records/values/violation.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { quoted } from '../../lib/quoted.ts'
import type { RecordBody } from '../../records/record-type.ts'
import type { StoredEvent } from '../../store/systems/events.ts'

// Times of events are microseconds since 1970.

interface GivenTimes {
  /** RFC 3339; left out for the present time. */
  readonly at?: string | null
  /** The end of a range that has already ended. */
  readonly endAt?: string | null
}

export function timesOf(model: RecordBody, given: GivenTimes, now: number): Pick<StoredEvent, 'at' | 'endAt'> {
  const at = given.at == null ? now : readInstant(given.at, 'at', timestampLimits(now))
  if (model['eventType'] !== 'SINGLE_POINT')
    return { at, endAt: given.endAt == null ? null : readEnd(given.endAt, at, now, 'endAt') }
  if (given.endAt == null) return { at, endAt: at }
  const message = 'events of this model are a single point in time: they have no end'
  throw new HoldfastError('BAD_USER_INPUT', message)
}

/** Reads the end of a range. `name` names it in messages. */
export function readEnd(text: string, beginsAt: number, now: number, name: string): number {
  const end = readInstant(text, name, timestampLimits(now))
  if (end >= beginsAt) return end
  const message = `the event began at ${timestampText(beginsAt)} and cannot end before, at ${quoted(text)}`
  throw new HoldfastError('BAD_USER_INPUT', message)
}

/** Reads any time, in the past or in the future. */
export function readAnyInstant(text: string, name: string): number {
  return readInstant(text, name, { earliest: 0, latest: Number.MAX_SAFE_INTEGER })
}

function readInstant(text: string, name: string, limits: TimestampLimits): number {
  const read = readTimestampText(text, limits)
  if (!isViolation(read)) return read
  throw new HoldfastError('BAD_USER_INPUT', `${name}: ${read.detail}`, { details: [{ code: read.code }] })
}
