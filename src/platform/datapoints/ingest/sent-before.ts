import type { Database } from '../../../db/sql.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import { isObject } from '../../../lib/json.ts'
import type { KeyedBatch } from '../../../store/datapoints/arriving/hot-rows.ts'
import { findRequest, keepAnswer, type KnownRequest } from '../../../store/datapoints/arriving/idempotency-keys.ts'
import { readDomain, writeAccess } from '../../../store/domains.ts'
import type { ReportedValue } from '../../../store/setpoints/due-setpoints.ts'
import { reportedValue, type ReportedSetting } from './reported-settings.ts'
import { accessVersionOf, type Idempotency, type IngestContext, type IngestResult } from './sent-batch.ts'

/** The data that is kept with the key of a batch, for retries. */
interface KeptAnswer extends Omit<IngestResult, 'cursor'> {
  /** Values that setpoints may not know yet, because setpoints are informed after the batch is stored. */
  readonly reported?: readonly ReportedValue[]
}

/** A batch that was stored before, with the number of its flush or change. */
export interface StoredBefore extends KeptAnswer {
  readonly change: number
}

export function answerText({ stored, overwritten, errors, errorCount, reported }: KeptAnswer): string {
  return JSON.stringify({ stored, overwritten, errors, errorCount, reported })
}

/** `answerText` wrote the value, so checking a few fields is enough. */
function isKeptAnswer(value: unknown): value is KeptAnswer {
  return isObject(value) && typeof value['stored'] === 'number' && Array.isArray(value['errors'])
}

/** The first answer to a request with a known key; null if none was kept. It fails if another request used the key. */
export function storedBefore({ isSame, change, answer }: KnownRequest): StoredBefore | null {
  if (!isSame)
    throw new HoldfastError('CONFLICT', 'this Idempotency-Key was used for another batch; give each batch its own key')
  if (answer === null) return null
  const kept: unknown = JSON.parse(answer)
  if (!isKeptAnswer(kept)) throw new Error('the stored answer of an Idempotency-Key is damaged')
  return { ...kept, change: change ?? 0 }
}

/** Whether any rights were changed since the sender was looked up, perhaps the rights of the sender. */
export function isOutdated(context: IngestContext, { accessVersion }: KnownRequest): boolean {
  const version = accessVersionOf(context)
  return version !== null && version !== accessVersion
}

/** The data that is stored with a batch that has a key. */
export function keyedBatch(
  { domainId, actor }: IngestContext,
  idempotency: Idempotency | undefined,
  answer: Omit<KeptAnswer, 'reported'>,
  settings: readonly ReportedSetting[],
): KeyedBatch | undefined {
  if (idempotency === undefined) return undefined
  const reported = settings.map((setting) => reportedValue(domainId, setting))
  const kept = reported.length === 0 ? answer : { ...answer, reported }
  return { domainId, actor, ...idempotency, answer: answerText(kept) }
}

export function findBatch(
  database: Database,
  domainId: number,
  actor: string,
  idempotency: Idempotency,
): Promise<KnownRequest | null> {
  return readDomain(database, domainId, (sql) => findRequest(sql, domainId, { actor, ...idempotency }))
}

/** Notes that setpoints were informed of a batch. */
export function noteTold(
  database: Database,
  domainId: number,
  actor: string,
  idempotency: Idempotency,
  { change, reported: _, ...answer }: StoredBefore,
): Promise<void> {
  return writeAccess(database, domainId, (sql) =>
    keepAnswer(sql, domainId, { actor, ...idempotency }, { change, answer: answerText(answer) }),
  )
}
