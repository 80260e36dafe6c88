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
  moveWithSystem,
  type StoredSystem,
  type SystemFilter,
  type WrittenSystem,
} from '../../store/systems/systems.ts'
import type { DomainContext } from '../domain-context.ts'
import { checkedLine } from './checked-text.ts'
import { changedMetadata, fetchEntityRules, keepUnique, newMetadata, type MetadataInput } from './metadata.ts'
import { pageOf, type Page, type PageRequest } from '../page.ts'
import { ownSystems, reaches, type Reach } from './reach.ts'
import { requireRecords, requireSystemOf } from './references.ts'

export type System = StoredSystem

export interface NewSystem {
  /** The uuid, so that the same system is not made twice; left out for a new one. */
  readonly uuid?: string | null
  readonly name: string
  readonly status?: Status | null
  readonly isPrototype?: boolean | null
  /** The key of an organization or organization unit. */
  readonly organizationUnit?: string | null
  readonly metadata?: readonly MetadataInput[] | null
}

export async function createSystem(context: DomainContext, actor: Reach, input: NewSystem): Promise<System> {
  const { database, domain } = context
  return writeSystems(database, domain.id, async (sql) => {
    const rules = await fetchEntityRules(sql, domain.id, 'SYSTEM')
    const now = context.now()
    const system: WrittenSystem = {
      uuid: input.uuid ?? context.newId(),
      name: checkedLine(input.name, 'the name'),
      status: input.status ?? 'ACTIVATED',
      isPrototype: input.isPrototype ?? false,
      organizationUnit: input.organizationUnit ?? null,
      metadata: newMetadata(rules, input.metadata ?? []),
      createdAt: now,
      updatedAt: now,
    }
    await requireUnit(sql, domain.id, actor, system.organizationUnit)
    if (!(await insertSystem(sql, domain.id, system)))
      throw new HoldfastError('CONFLICT', `there is a system ${system.uuid} already`)
    await keepUnique(sql, domain.id, rules, [system])
    return requireSystemOf(sql, domain.id, actor, system.uuid)
  })
}

/**
 * Checks the unit of a system. An actor who is bound to units can only put systems into these, and cannot take a
 * system out of all units.
 */
async function requireUnit(sql: Sql, domainId: number, actor: Reach, key: string | null): Promise<void> {
  if (key === null) {
    if (actor.units === null) return
    throw new HoldfastError(
      'BAD_USER_INPUT',
      'say to which organizationUnit the system belongs: your role counts there only',
    )
  }
  await requireRecords(sql, domainId, DATA_TYPES.unit, [key], actor.units)
}

export interface SystemPatch {
  readonly name?: string | null
  readonly status?: Status | null
  readonly isPrototype?: boolean | null
  /** Null where it belongs to no unit. */
  readonly organizationUnit?: string | null
  /** Replaces all metadata. */
  readonly metadata?: readonly MetadataInput[] | null
}

/** Changes the given fields and leaves the others. */
export async function updateSystem(
  context: DomainContext,
  actor: Reach,
  uuid: string,
  patch: SystemPatch,
): Promise<System> {
  const { database, domain } = context
  return writeSystems(database, domain.id, async (sql) => {
    const before = await requireSystemOf(sql, domain.id, actor, uuid)
    const rules = await fetchEntityRules(sql, domain.id, 'SYSTEM')
    const unit = patch.organizationUnit === undefined ? before.organizationUnit : patch.organizationUnit
    if (unit !== before.organizationUnit) await requireUnit(sql, domain.id, actor, unit)
    const system: WrittenSystem = {
      ...before,
      name: patch.name == null ? before.name : checkedLine(patch.name, 'the name'),
      status: patch.status ?? before.status,
      isPrototype: patch.isPrototype ?? before.isPrototype,
      organizationUnit: unit,
      metadata: patch.metadata == null ? before.metadata : changedMetadata(rules, patch.metadata),
      updatedAt: context.now(),
    }
    await updateStoredSystem(sql, domain.id, system)
    if (unit !== before.organizationUnit) await moveWithSystem(sql, domain.id, uuid)
    if (patch.metadata != null) await keepUnique(sql, domain.id, rules, [system])
    return requireSystemOf(sql, domain.id, actor, uuid)
  })
}

/** Null where there is none, or none that the actor may see. */
export async function findSystem(
  { database, domain }: DomainContext,
  actor: Reach,
  uuid: string,
): Promise<System | null> {
  const [system] = await readDomain(database, domain.id, (sql) => fetchSystems(sql, domain.id, [uuid]))
  return system !== undefined && reaches(actor, { ...system, systemUuid: uuid }) ? system : null
}

/** Lists the systems in the actor's reach by name. */
export async function listSystems(
  { database, domain }: DomainContext,
  actor: Reach,
  filter: SystemFilter,
  { first, after }: PageRequest,
): Promise<Page<System>> {
  const own = { ...filter, uuids: ownSystems(actor.systemUuid, filter.uuids), units: actor.units ?? undefined }
  return readDomain(database, domain.id, async (sql) => {
    const found = await fetchSystemPage(sql, domain.id, own, { first: first + 1, after })
    const total = await countSystems(sql, domain.id, own)
    return pageOf(found, first, total)
  })
}
