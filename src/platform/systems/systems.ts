import type { Status } from '../../../generated/import-document.ts'
import type { Sql } from '../../db/sql.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { DATA_TYPES } from '../../records/types/data-types.ts'
import { readDomain, writeSystems } from '../../store/domains.ts'
import {
  countSystems,
  fetchSystemPage,
  fetchSystems,
  insertSystem,
  updateStoredSystem,
  type StoredSystem,
  type SystemFilter,
} from '../../store/systems.ts'
import type { Actor } from '../access/actor.ts'
import type { DomainContext } from '../domain-context.ts'
import { checkedLine } from './checked-text.ts'
import { mayTouchSystem, visibleSystems } from './may-touch-system.ts'
import { changedMetadata, fetchEntityRules, keepUnique, newMetadata, type MetadataInput } from './metadata.ts'
import { pageOf, type Page, type PageRequest } from '../page.ts'
import { requireRecords, requireSystemOf } from './references.ts'

export type System = StoredSystem

export interface NewSystem {
  /** Left out: a new one. Given, the same system is not made twice. */
  readonly uuid?: string | null
  readonly name: string
  readonly status?: Status | null
  /** The key of an organization or organization unit. */
  readonly organizationUnit?: string | null
  readonly metadata?: readonly MetadataInput[] | null
}

export async function createSystem(context: DomainContext, input: NewSystem): Promise<System> {
  const { database, domain } = context
  return writeSystems(database, domain.id, async (sql) => {
    const rules = await fetchEntityRules(sql, domain.id, 'SYSTEM')
    const now = context.now()
    const system: System = {
      uuid: input.uuid ?? context.newId(),
      name: checkedLine(input.name, 'the name'),
      status: input.status ?? 'ACTIVATED',
      organizationUnit: input.organizationUnit ?? null,
      metadata: newMetadata(rules, input.metadata ?? []),
      createdAt: now,
      updatedAt: now,
    }
    await requireUnit(sql, domain.id, system.organizationUnit)
    if (!(await insertSystem(sql, domain.id, system)))
      throw new HoldfastError('CONFLICT', `there is a system ${system.uuid} already`)
    await keepUnique(sql, domain.id, rules, [system])
    return requireSystemOf(sql, domain.id, system.uuid)
  })
}

async function requireUnit(sql: Sql, domainId: number, key: string | null): Promise<void> {
  if (key !== null) await requireRecords(sql, domainId, DATA_TYPES.unit, [key])
}

export interface SystemPatch {
  readonly name?: string | null
  readonly status?: Status | null
  /** Null: it belongs to nobody. */
  readonly organizationUnit?: string | null
  /** In place of all that there is. */
  readonly metadata?: readonly MetadataInput[] | null
}

/** Changes what is given and leaves the rest. */
export async function updateSystem(context: DomainContext, uuid: string, patch: SystemPatch): Promise<System> {
  const { database, domain } = context
  return writeSystems(database, domain.id, async (sql) => {
    const before = await requireSystemOf(sql, domain.id, uuid)
    const rules = await fetchEntityRules(sql, domain.id, 'SYSTEM')
    const unit = patch.organizationUnit === undefined ? before.organizationUnit : patch.organizationUnit
    if (unit !== before.organizationUnit) await requireUnit(sql, domain.id, unit)
    const system: System = {
      ...before,
      name: patch.name == null ? before.name : checkedLine(patch.name, 'the name'),
      status: patch.status ?? before.status,
      organizationUnit: unit,
      metadata: patch.metadata == null ? before.metadata : changedMetadata(rules, patch.metadata),
      updatedAt: context.now(),
    }
    await updateStoredSystem(sql, domain.id, system)
    if (patch.metadata != null) await keepUnique(sql, domain.id, rules, [system])
    return requireSystemOf(sql, domain.id, uuid)
  })
}

/** Null where there is none, or none that the actor may see. */
export async function findSystem(
  { database, domain }: DomainContext,
  actor: Pick<Actor, 'systemUuid'>,
  uuid: string,
): Promise<System | null> {
  if (!mayTouchSystem(actor, uuid)) return null
  const [system] = await readDomain(database, domain.id, (sql) => fetchSystems(sql, domain.id, [uuid]))
  return system ?? null
}

/** By name; a device sees its own. */
export async function listSystems(
  { database, domain }: DomainContext,
  actor: Pick<Actor, 'systemUuid'>,
  filter: SystemFilter,
  { first, after }: PageRequest,
): Promise<Page<System>> {
  const own = { ...filter, uuids: visibleSystems(actor, filter.uuids) }
  return readDomain(database, domain.id, async (sql) => {
    const found = await fetchSystemPage(sql, domain.id, own, { first: first + 1, after })
    const total = await countSystems(sql, domain.id, own)
    return pageOf(found, first, total)
  })
}
