import { isObject } from '../../../lib/json.ts'
import type { Sql } from '../../../db/sql.ts'
import type { LiveIndex, OtherOwner } from '../../../plan/live-state.ts'
import { embeddedInto } from '../../../records/registry.ts'
import type { RecordTypeName } from '../../../records/record-type.ts'
import { ownerName, relationOf, type Planner, type TypeOwner } from '../../../records/type-owner.ts'
import type { Settings } from '../../../records/settings.ts'
import { fetchTokenRepository } from '../../../store/access/artifacts.ts'
import type { ScopeMemory } from '../../../store/model/type-owners.ts'
import type { DomainContext } from '../../domain-context.ts'
import { readTokenRepository } from '../../access/delegated/identity/token-repository.ts'

/** The facts besides the token that determine the planner. */
interface Speaker {
  /** The folder of the models in their repository, as the client states it. */
  readonly folder: string | null
  readonly settings: Pick<Settings, 'owner'>
}

/** The planner of an import: the repository that its token names, or else the name in its settings, or else none. */
export async function plannerOf(
  sql: Sql,
  { domain, tokenHash }: Pick<DomainContext, 'domain' | 'tokenHash'>,
  { folder, settings: { owner } }: Speaker,
): Promise<Planner> {
  const stored = tokenHash === undefined ? null : await fetchTokenRepository(sql, domain.id, tokenHash)
  const repository = isObject(stored) ? readTokenRepository(stored) : null
  if (repository !== null) return { kind: 'repository', ...repository, folder }
  return owner === undefined ? null : { kind: 'named', name: owner }
}

/** The planner, and whether the plan is a rollback. A rollback takes no type from another owner. */
export interface Asker {
  readonly planner: Planner
  readonly isRollback: boolean
}

/** The managed types that belong to other owners than the planner. */
export function othersFor({ planner, isRollback }: Asker, memory: ScopeMemory): NonNullable<LiveIndex['others']> {
  const by = isRollback ? 'rollback' : planner === null ? 'hand' : 'owner'
  const found = new Map<RecordTypeName, OtherOwner>()
  for (const type of memory.managed.keys()) {
    const owner = ownerOf(type, memory)
    const relation = relationOf(owner, planner)
    if (relation === 'same') continue
    found.set(type, { name: ownerName(owner), isOpen: relation === 'open', by })
  }
  return found
}

/** Links that only records hold belong to the owner of those records. */
function ownerOf(type: RecordTypeName, { managed, owners }: ScopeMemory): TypeOwner | null {
  const [embedding] = managed.get(type) === 'partial' ? embeddedInto(type) : []
  return owners.get(embedding?.owner.name ?? type) ?? null
}
