import type { RecordBody } from '../../../records/record-type.ts'
import { DATA_TYPES } from '../../../records/types/data-types.ts'
import type { Sql } from '../../../db/sql.ts'
import { readDomain } from '../../../store/domains.ts'
import { fetchAppliesSince, type ApplyRow } from '../../../store/model/applies.ts'
import {
  fetchApplyChanges,
  parseChanges,
  storedOutline,
  unpackText,
  type ApplyChangeRow,
} from '../../../store/model/apply-changes.ts'
import { fetchPartsOfApplies, type PartOfApply } from '../../../store/model/change-history.ts'
import type { DomainContext } from '../../domain-context.ts'

/** The effect of an apply on a characteristic. */
export interface CharacteristicChange {
  readonly apply: Pick<ApplyRow, 'uuid' | 'at' | 'actor' | 'origin'>
  readonly characteristicUuid: string
  readonly before: RecordBody | null
  readonly after: RecordBody | null
}

interface FoundChanges {
  readonly changes: readonly CharacteristicChange[]
  /** Whether older applies were not searched. */
  readonly hasMore: boolean
}

/** The maximum numbers of applies, and of their stored parts, that are searched, newest first. */
const MOST_APPLIES = 200
const MOST_PARTS = 200

/** The parts that one statement reads. */
const PARTS_AT_ONCE = 10

/** The changes of these characteristics by the last applies since a time, latest first. */
export async function listCharacteristicChanges(
  { database, domain }: Pick<DomainContext, 'database' | 'domain'>,
  characteristicUuids: ReadonlySet<string>,
  since: Date,
): Promise<FoundChanges> {
  const wanted = new RegExp([...characteristicUuids].join('|'))
  if (characteristicUuids.size === 0) return { changes: [], hasMore: false }
  return readDomain(database, domain.id, async (sql) => {
    const found = await fetchAppliesSince(sql, domain.id, since, MOST_APPLIES + 1)
    const applies = found.slice(0, MOST_APPLIES)
    const places = await placesIn(sql, domain.id, applies)
    const changed: (ApplyChangeRow & Pick<PartOfApply, 'apply'>)[] = []
    for (let at = 0; at < Math.min(places.length, MOST_PARTS); at += PARTS_AT_ONCE)
      for (const { apply, packed } of await fetchPartsOfApplies(sql, domain.id, places.slice(at, at + PARTS_AT_ONCE)))
        for (const change of await changesIn(packed, characteristicUuids, wanted)) changed.push({ ...change, apply })
    const byApply = Map.groupBy(changed, ({ apply }) => apply)
    return {
      changes: applies.flatMap(({ uuid, at, actor, origin }) =>
        (byApply.get(uuid) ?? []).map((change) => ({
          apply: { uuid, at, actor, origin },
          characteristicUuid: change.uuid,
          before: change.before,
          after: change.after,
        })),
      ),
      hasMore: found.length > MOST_APPLIES || places.length > MOST_PARTS,
    }
  })
}

/** The parts with changes of characteristics, in the order of the applies. */
async function placesIn(sql: Sql, domainId: number, applies: readonly ApplyRow[]): Promise<readonly PartOfApply[]> {
  const wanted = applies.map(({ uuid }) => ({ apply: uuid, part: 0 }))
  const outlines = await fetchPartsOfApplies(sql, domainId, wanted)
  const packedOf = new Map(outlines.map(({ apply, packed }) => [apply, packed]))
  const places: PartOfApply[] = []
  for (const { uuid: apply } of applies) {
    const packed = packedOf.get(apply)
    if (packed === undefined) continue
    const { outline, firstPart } = await storedOutline(packed, () => fetchApplyChanges(sql, domainId, apply))
    for (const [part, { counts }] of outline.parts.entries())
      if (counts[DATA_TYPES.characteristic] !== undefined) places.push({ apply, part: part + firstPart })
  }
  return places
}

/** Parses a part only if its text contains one of the uuids. */
async function changesIn(
  packed: Uint8Array,
  uuids: ReadonlySet<string>,
  wanted: RegExp,
): Promise<readonly ApplyChangeRow[]> {
  const text = await unpackText(packed)
  if (!wanted.test(text)) return []
  return parseChanges(text).filter(({ type, uuid }) => type === DATA_TYPES.characteristic && uuids.has(uuid))
}
