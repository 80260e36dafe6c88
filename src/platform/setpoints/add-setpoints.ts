import { elementProblem, type Element } from '../../datapoints/wire/element.ts'
import {
  microsecondsOf,
  readTimestamp,
  type TimestampLimits,
  timestampLimits,
} from '../../datapoints/wire/timestamp.ts'
import type { Sql } from '../../db/sql.ts'
import {
  findRequest,
  keepAnswer,
  takeKey,
  type IdempotencyKey,
} from '../../store/datapoints/arriving/idempotency-keys.ts'
import type { Actor } from '../access/grants/actor.ts'
import { BatchErrors } from '../datapoints/ingest/batch-error.ts'
import type { Idempotency, IngestOptions, IngestResult } from '../datapoints/ingest/sent-batch.ts'
import { answerText, storedBefore, type StoredBefore } from '../datapoints/ingest/sent-before.ts'
import { FIELDS, keyOf } from '../datapoints/ingest/check-batch.ts'
import { changeData } from '../change-domain.ts'
import type { DomainContext } from '../domain-context.ts'
import { checkSetpoints, isProblem, type GivenSetpoint, type SetpointProblem } from './check-setpoints.ts'
import { makeSetpoints, type WantedSetpoint } from './make-setpoints.ts'
import { setpointCursor } from '../service-change.ts'

type Setter = Pick<Actor, 'account' | 'name' | 'systemUuid' | 'units'>

/** Accepts a batch in the form of datapoints. A batch with an error is not stored at all, unless `lenient`. */
export async function addSetpoints(
  context: DomainContext,
  actor: Setter,
  elements: readonly unknown[],
  { lenient = false, idempotency }: IngestOptions = {},
): Promise<IngestResult> {
  const { domain, changes } = context
  const key = idempotency && requestKey(actor, idempotency)
  const { change, isNew, ...answer } = await changeData(context, async (sql) => {
    const before = key && (await findStored(sql, domain.id, key))
    if (before) return { ...before, isNew: false }
    const { wanted, errors } = await readElements(sql, context, actor, elements)
    const answer = { stored: wanted.length, errors: errors.listed, errorCount: errors.count }
    if (errors.count > 0 && !lenient) return { ...answer, stored: 0, change: 0, isNew: false }
    if (wanted.length === 0) return { ...answer, change: 0, isNew: false }
    if (key && (await takeKey(sql, domain.id, key)) === 'known')
      return { ...((await findStored(sql, domain.id, key)) ?? { ...answer, change: 0 }), isNew: false }
    const { change } = await makeSetpoints(sql, context, wanted, null)
    if (key) await keepAnswer(sql, domain.id, key, { change, answer: answerText(answer) })
    return { ...answer, change, isNew: change > 0 }
  })
  if (isNew) changes?.signal(domain.id, 'setpoints')
  return { ...answer, cursor: setpointCursor(change) }
}

/**
 * The key of a client has no line break. So these keys never equal a key of datapoints, which may belong to another
 * batch.
 */
const OF_SETPOINTS = 'set-points\n'
/** Earlier releases used this text instead. A key of datapoints may begin with it, too. */
const OF_SETPOINTS_BEFORE = 'set-points '

function requestKey({ account, name }: Setter, { key, digest }: Idempotency): IdempotencyKey {
  return { actor: account?.uuid ?? name, key: OF_SETPOINTS + key, digest }
}

/** Finds the answer to a batch that was stored before with this key. */
async function findStored(sql: Sql, domainId: number, key: IdempotencyKey): Promise<StoredBefore | null> {
  const known = await findRequest(sql, domainId, key)
  if (known !== null) return storedBefore(known)
  const earlier = await findRequest(sql, domainId, {
    ...key,
    key: key.key.replace(OF_SETPOINTS, OF_SETPOINTS_BEFORE),
  })
  const before = earlier?.isSame === true ? storedBefore(earlier) : null
  // The answer to a batch of datapoints says how many were overwritten.
  return before?.overwritten === undefined ? before : null
}

/** Separates the valid elements of a batch from the errors. */
async function readElements(
  sql: Sql,
  { domain, now }: DomainContext,
  actor: Setter,
  elements: readonly unknown[],
): Promise<{ readonly wanted: readonly WantedSetpoint[]; readonly errors: BatchErrors }> {
  const limits = timestampLimits(microsecondsOf(now()))
  const read = elements.map((element) => readElement(element, limits))
  const answers = await checkSetpoints(sql, domain.id, actor, read)
  const errors = new BatchErrors()
  const wanted: WantedSetpoint[] = []
  for (const [index, answer] of answers.entries()) {
    if (isProblem(answer)) errors.add(index, fieldOf(answer), answer)
    else wanted.push({ ...answer, setAt: timeOf(read[index]) })
  }
  return { wanted, errors }
}

type Readable = GivenSetpoint & Pick<WantedSetpoint, 'setAt'>

function readElement(element: unknown, limits: TimestampLimits): Readable | SetpointProblem {
  const problem = elementProblem(element, 'setpoint')
  if (problem !== null) return { field: null, sent: problem.field, ...problem.violation }
  const whole = element as Element
  const setAt = whole.timestamp === undefined ? null : readTimestamp(whole.timestamp, limits)
  if (typeof setAt === 'object' && setAt !== null) return { field: 'timestamp', ...setAt }
  return { key: keyOf(whole), value: whole.value, setAt }
}

function timeOf(read: Readable | SetpointProblem | undefined): number | null {
  return read !== undefined && 'setAt' in read ? read.setAt : null
}

function fieldOf({ field, sent }: SetpointProblem): string | null {
  if (sent !== undefined) return sent
  return field === null || field === 'value' || field === 'timestamp' ? field : FIELDS[field]
}
