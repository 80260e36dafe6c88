import { LRUCache } from 'lru-cache'
import type { RecordBody } from '../../../records/record-type.ts'
import { DATA_TYPES } from '../../../records/types/data-types.ts'
import { readDomain, type Domain } from '../../../store/domains.ts'
import { fetchAppliesSince, type ApplyRow } from '../../../store/model/applies.ts'
import { fetchPackedChanges, unpackChanges, type ApplyChangeRow } from '../../../store/model/apply-changes.ts'
import type { DomainContext } from '../../domain-context.ts'

/** The effect of an apply on a characteristic. */
export interface CharacteristicChange {
  readonly apply: Pick<ApplyRow, 'uuid' | 'at' | 'actor' | 'origin'>
  readonly characteristicUuid: string
  readonly before: RecordBody | null
  readonly after: RecordBody | null
}

/** The most applies that are searched, newest first. */
const MOST_APPLIES = 200

type Changed = Pick<ApplyChangeRow, 'uuid' | 'before' | 'after'>

/**
 * Caches unpacked changes, because unpacking 100,000 of them each time would take too long. An apply never changes. The
 * key needs more than the uuid: a client chooses the uuid, so another domain, or this one after a restore, may have the
 * same.
 */
const known = new LRUCache<string, readonly Changed[]>({
  maxSize: 50_000,
  sizeCalculation: (changes) => changes.length + 1,
})

/** The changes of these characteristics by the last applies since a time, latest first. It runs two statements. */
export async function listCharacteristicChanges(
  { database, domain }: Pick<DomainContext, 'database' | 'domain'>,
  characteristicUuids: ReadonlySet<string>,
  since: Date,
): Promise<readonly CharacteristicChange[]> {
  if (characteristicUuids.size === 0) return []
  const { applies, remembered, packed } = await readDomain(database, domain.id, async (sql) => {
    const applies = await fetchAppliesSince(sql, domain.id, since, MOST_APPLIES)
    const remembered = new Map(applies.map((apply) => [apply.uuid, known.get(nameOf(domain, apply))]))
    const unknown = applies.map(({ uuid }) => uuid).filter((uuid) => remembered.get(uuid) === undefined)
    return { applies, remembered, packed: await fetchPackedChanges(sql, domain.id, unknown) }
  })
  const found: CharacteristicChange[] = []
  for (const apply of applies) {
    const { uuid, at, actor, origin } = apply
    const changes = remembered.get(uuid) ?? (await remember(nameOf(domain, apply), packed.get(uuid) ?? []))
    for (const { uuid: changed, before, after } of changes)
      if (characteristicUuids.has(changed))
        found.push({ apply: { uuid, at, actor, origin }, characteristicUuid: changed, before, after })
  }
  return found
}

function nameOf({ uuid: domain }: Pick<Domain, 'uuid'>, { uuid, at, planDigest }: ApplyRow): string {
  return JSON.stringify([domain, uuid, at, planDigest])
}

async function remember(name: string, packed: readonly Uint8Array[]): Promise<readonly Changed[]> {
  const all = await unpackChanges(packed)
  const changes = all
    .filter(({ type }) => type === DATA_TYPES.characteristic)
    .map(({ uuid, before, after }) => ({ uuid, before, after }))
  known.set(name, changes)
  return changes
}
