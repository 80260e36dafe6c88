import { microsecondsOf } from '../../../datapoints/wire/timestamp.ts'
import { counted } from '../../../lib/counted.ts'
import { earliestKept, parseKeep } from '../../../datapoints/retention-time.ts'
import { timestampText } from '../../../datapoints/wire/timestamp-text.ts'
import type { Sql } from '../../../db/sql.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import { quoted } from '../../../lib/quoted.ts'
import { readDomain } from '../../../store/domains.ts'
import { raiseModelVersion } from '../../../store/model/model-versions.ts'
import {
  deleteRetention,
  fetchKept,
  fetchRetentions,
  findCharacteristic,
  saveRetention,
  type FoundCharacteristic,
  type StoredRetention,
} from '../../../store/datapoints/retention.ts'
import { changeDomain } from '../../change-domain.ts'
import type { DomainContext } from '../../domain-context.ts'
import type { EntityOf } from '../../../records/entity.ts'
import { retentionCost, type RetentionCost } from './retention-cost.ts'
import { Retentions } from './retentions.ts'

/** The retention of one characteristic, or of all without their own. */
type Retention = EntityOf<'Retention'>

export interface RetentionChange {
  readonly retention: Retention
  /** The number of points that the change deletes. */
  readonly datapoints: number
}

interface WantedRetention {
  /** The uuid or key; null for the domain. */
  readonly characteristic: string | null
  /** An ISO 8601 duration; null if unlimited. */
  readonly keep: string | null
  /** Acknowledges the deletion of points. */
  readonly acknowledge: boolean
}

type Context = Pick<DomainContext, 'database' | 'domain' | 'now' | 'stillMay'>

/** Lists the retention of the domain first, then the retentions of characteristics by key. */
export async function listRetentions({ database, domain, now }: Context): Promise<Retention[]> {
  const stored = await readDomain(database, domain.id, (sql) => fetchRetentions(sql, domain.id))
  const at = microsecondsOf(now())
  const ofDomain = stored.some(({ characteristicUuid }) => characteristicUuid === null) ? [] : [UNSET]
  return [...ofDomain, ...stored.map((one) => toRetention(one, at))]
}

const UNSET: Retention = {
  characteristicUuid: null,
  characteristic: null,
  keep: null,
  earliest: null,
  changedBy: null,
  changedAt: null,
}

/** Sets a retention. If that deletes points, it must be acknowledged. */
export async function setRetention(context: DomainContext, wanted: WantedRetention): Promise<RetentionChange> {
  const { domain, actorName: changedBy, now } = context
  const keep = wanted.keep === null ? null : parseKeep(wanted.keep)
  const characteristic = await characteristicOf(context, wanted.characteristic)
  const stored = { characteristicUuid: characteristic?.uuid ?? null, keep, changedBy, changedAt: now() }
  const change = (current: Retentions) => current.with(stored)
  const datapoints = await write(context, change, wanted.acknowledge, (sql) => saveRetention(sql, domain.id, stored))
  const named = { ...stored, characteristic: characteristic?.key ?? null }
  return { retention: toRetention(named, microsecondsOf(now())), datapoints }
}

/** Removes the characteristic's own retention, so that the domain's applies. */
export async function clearRetention(
  context: DomainContext,
  { characteristic: name, acknowledge }: { readonly characteristic: string; readonly acknowledge: boolean },
): Promise<RetentionChange> {
  const characteristic = await requireCharacteristic(context, name)
  const change = (current: Retentions) => current.without(characteristic.uuid)
  const datapoints = await write(context, change, acknowledge, (sql) =>
    deleteRetention(sql, context.domain.id, characteristic.uuid),
  )
  const [ofDomain = UNSET] = await listRetentions(context)
  return { retention: ofDomain, datapoints }
}

/**
 * Counts the points before it takes the domain's lock, and again if the retention has changed in the meantime. Returns
 * the number of deleted points.
 */
async function write(
  context: Context,
  change: (current: Retentions) => Retentions,
  acknowledge: boolean,
  save: (sql: Sql) => Promise<void>,
): Promise<number> {
  const { database, domain, now } = context
  for (;;) {
    const cost = await retentionCost(database, domain.id, change, microsecondsOf(now()))
    if (cost.datapoints > 0 && !acknowledge) throw notAcknowledged(cost)
    const isSaved = await changeDomain(context, async (sql) => {
      const current = new Retentions(await fetchKept(sql, domain.id))
      if (!current.equals(cost.current)) return false
      await save(sql)
      // Servers then look up again which points they accept.
      await raiseModelVersion(sql, domain.id, 'records')
      return true
    })
    if (isSaved) return cost.datapoints
  }
}

function notAcknowledged({ datapoints, before }: RetentionCost): HoldfastError {
  const since = timestampText(before)
  return new HoldfastError(
    'BLOCKED',
    `${counted(datapoints, 'datapoint')} from before ${since} would be deleted, and nothing was changed; acknowledge: true deletes them`,
    { details: [{ code: 'deletes-data', datapoints, before: since }] },
  )
}

async function characteristicOf(context: Context, name: string | null): Promise<FoundCharacteristic | null> {
  return name === null ? null : requireCharacteristic(context, name)
}

async function requireCharacteristic({ database, domain }: Context, name: string): Promise<FoundCharacteristic> {
  const found = await readDomain(database, domain.id, (sql) => findCharacteristic(sql, domain.id, name))
  if (found !== undefined) return found
  throw new HoldfastError('NOT_FOUND', `there is no characteristic ${quoted(name)}`)
}

function toRetention(stored: StoredRetention, now: number): Retention {
  return { ...stored, earliest: stored.keep === null ? null : earliestKept(stored.keep, now) }
}
