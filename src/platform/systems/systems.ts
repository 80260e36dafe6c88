import type { NewSystem, SystemPatch } from '../../../generated/entities.ts'
import type { Sql } from '../../db/sql.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { SYSTEM } from '../../records/entities.ts'
import type { EntityFilterOf, Stored } from '../../records/entity.ts'
import { DATA_TYPES } from '../../records/types/data-types.ts'
import { readDomain } from '../../store/domains.ts'
import { fetchEntities, insertEntities, updateEntities } from '../../store/entities.ts'
import { countEntities, fetchEntityPage } from '../../store/entity-pages.ts'
import { raiseForSystem } from '../../store/model/model-versions.ts'
import { moveWithSystem, systemsMeant } from '../../store/systems/systems.ts'
import { changeDomain } from '../change-domain.ts'
import type { DomainContext } from '../domain-context.ts'
import { changedEntity, newEntity } from './entity-values.ts'
import { atField, rethrowAt } from './input-problems.ts'
import { lookUpFilter } from './list-filter.ts'
import { fetchEntityRules, keepUnique } from './entity-metadata.ts'
import { pageOf, type Page, type PageRequest } from '../paging.ts'
import { ownSystems, reaches, type Reach } from './reach.ts'
import { requireRecords, requireSystemOf } from './entity-references.ts'
import { otherContent } from './sent-again.ts'

export type System = Stored<typeof SYSTEM>

/**
 * Creates a system. If the same system is sent again with its uuid, the answer is the stored one, even if its unit
 * accepts no new systems any more. Its metadata must still fit the MetadataTypes.
 */
export async function createSystem(context: DomainContext, actor: Reach, input: NewSystem): Promise<System> {
  const { domain } = context
  return changeDomain(context, async (sql) => {
    const rules = await fetchEntityRules(sql, domain.id, 'SYSTEM')
    const now = context.now()
    const made = { uuid: context.newId(), createdAt: now, updatedAt: now }
    const system = newEntity(SYSTEM, input, made, rules)
    const [stored] = input.uuid == null ? [] : await fetchEntities(sql, domain.id, SYSTEM, [system.uuid])
    if (stored !== undefined && reaches(actor, { ...stored, systemUuid: stored.uuid })) {
      const problem = otherContent(SYSTEM, stored, system)
      if (problem === null) return stored
      throw atField(problem, 'uuid')
    }
    await requireUnit(sql, domain.id, actor, system.organizationUnit)
    const [uuid] = await insertEntities(sql, domain.id, SYSTEM, [system])
    if (uuid === undefined) throw new HoldfastError('CONFLICT', `there is a system ${system.uuid} already`)
    await keepUnique(sql, domain.id, rules, [system])
    return requireSystemOf(sql, domain.id, actor, uuid)
  })
}

/** Checks the unit of a system. An actor bound to units puts systems only into these, and never into none. */
async function requireUnit(sql: Sql, domainId: number, actor: Reach, key: string | null): Promise<void> {
  if (key === null) {
    if (actor.units === null) return
    const message = 'name the organizationUnit of the system: your role only applies within units'
    throw atField(new HoldfastError('BAD_USER_INPUT', message), 'organizationUnit')
  }
  await requireRecords(sql, domainId, DATA_TYPES.unit, [key], actor.units).catch(rethrowAt('organizationUnit'))
}

/** Changes only the given fields. `check` may refuse the change after seeing the system. */
export async function updateSystem(
  context: DomainContext,
  actor: Reach,
  uuid: string,
  patch: SystemPatch,
  check?: (before: System) => void,
): Promise<System> {
  const { domain } = context
  return changeDomain(context, async (sql) => {
    const before = await requireSystemOf(sql, domain.id, actor, uuid)
    check?.(before)
    const rules = await fetchEntityRules(sql, domain.id, 'SYSTEM')
    const system = changedEntity(SYSTEM, before, patch, context.now(), rules)
    const isMoved = system.organizationUnit !== before.organizationUnit
    if (isMoved) await requireUnit(sql, domain.id, actor, system.organizationUnit)
    await updateEntities(sql, domain.id, SYSTEM, [system])
    if (isMoved) await moveWithSystem(sql, domain.id, uuid)
    if (patch.metadataKeyValueStore != null) await keepUnique(sql, domain.id, rules, [system])
    const changed = await requireSystemOf(sql, domain.id, actor, uuid)
    if (isMoved || system.status !== before.status) await raiseForSystem(sql, domain.id, uuid)
    return changed
  })
}

/** Finds a system; null if there is none that the actor may see. */
export async function findSystem(
  { database, domain }: DomainContext,
  actor: Reach,
  uuid: string,
): Promise<System | null> {
  const [system] = await readDomain(database, domain.id, (sql) => fetchEntities(sql, domain.id, SYSTEM, [uuid]))
  return system !== undefined && reaches(actor, { ...system, systemUuid: uuid }) ? system : null
}

/** Lists the systems in the actor's reach by name. `organizationUnits` are keys, with all units below them. */
export async function listSystems(
  { database, domain, budget }: DomainContext,
  actor: Reach,
  filter: EntityFilterOf<'System'>,
  { first, after, mostCounted }: PageRequest,
): Promise<Page<System>> {
  const uuids = ownSystems(actor.systemUuid, filter.uuids)
  return readDomain(database, domain.id, async (sql) => {
    const lookedUp = await lookUpFilter(sql, domain.id, SYSTEM, filter)
    const meant = systemsMeant({ ...lookedUp, uuids, units: actor.units ?? undefined })
    const found = await fetchEntityPage(sql, domain.id, SYSTEM, meant, { first: first + 1, after, by: 'name' })
    // If the first page holds all systems, its length is the count.
    const isWhole = after === null && found.length <= first
    const total = isWhole ? found.length : await countEntities(sql, domain.id, SYSTEM, meant, mostCounted)
    return pageOf(found, first, total, budget)
  })
}
