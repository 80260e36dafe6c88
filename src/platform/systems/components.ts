import type { ComponentPatch, NewComponent } from '../../../generated/entities.ts'
import type { Sql } from '../../db/sql.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { COMPONENT } from '../../records/entities.ts'
import type { EntityFilterOf, EntityOf, Stored } from '../../records/entity.ts'
import { readDomain } from '../../store/domains.ts'
import { fetchEntities, insertEntities, updateEntities } from '../../store/entities.ts'
import { countEntities, fetchEntityPage } from '../../store/entity-pages.ts'
import { raiseForSystem } from '../../store/model/model-versions.ts'
import { fetchSupport, type ComponentSupport, componentsMeant } from '../../store/systems/component-support.ts'
import { changeDomain } from '../change-domain.ts'
import type { DomainContext } from '../domain-context.ts'
import { existing, notUnique, readInputs, referenceProblems, sentAgain, twins } from './component-inputs.ts'
import { changedEntity } from './entity-values.ts'
import { refuseProblems } from './input-problems.ts'
import { lookUpFilter } from './list-filter.ts'
import { fetchEntityRules, keepUnique } from './entity-metadata.ts'
import { pageOf, type Page, type PageRequest } from '../paging.ts'
import { isWithin, reaches, withinReach, type Reach } from './reach.ts'

export type Component = EntityOf<'Component'>

/**
 * Creates all components or none, and returns the stored ones for components that are sent again with their uuid. The
 * number of statements does not depend on the number of components.
 */
export async function createComponents(
  context: DomainContext,
  actor: Reach,
  inputs: readonly NewComponent[],
): Promise<readonly Component[]> {
  const { domain } = context
  if (inputs.length === 0) return []
  return changeDomain(context, async (sql) => {
    const rules = await fetchEntityRules(sql, domain.id, 'COMPONENT')
    const { wanted, problems } = readInputs(context, inputs, rules)
    const { stored, others } = await sentAgain(sql, domain.id, actor, wanted)
    const fresh = wanted.filter(({ component }) => !stored.has(component.uuid))
    const missing = await referenceProblems(sql, domain.id, actor, fresh)
    refuseProblems([...problems, ...others, ...twins(wanted, rules), ...missing], inputs)
    const components = fresh.map(({ component }) => component)
    const made = await insertEntities(sql, domain.id, COMPONENT, components)
    refuseProblems(existing(fresh, new Set(made)), inputs)
    refuseProblems(await notUnique(sql, domain.id, rules, fresh), inputs)
    return wanted.map(({ component }) => stored.get(component.uuid) ?? component)
  })
}

/** Changes only the given fields. */
export async function updateComponent(
  context: DomainContext,
  actor: Reach,
  uuid: string,
  patch: ComponentPatch,
  check?: (before: Component) => void,
): Promise<Component> {
  const { domain } = context
  return changeDomain(context, async (sql) => {
    const before = await requireComponent(sql, domain.id, actor, uuid)
    check?.(before)
    const rules = await fetchEntityRules(sql, domain.id, 'COMPONENT')
    const component = changedEntity(COMPONENT, before, patch, context.now(), rules)
    await updateEntities(sql, domain.id, COMPONENT, [component])
    if (patch.metadataKeyValueStore != null) await keepUnique(sql, domain.id, rules, [component])
    if (component.status !== before.status) await raiseForSystem(sql, domain.id, component.systemUuid)
    return component
  })
}

async function requireComponent(
  sql: Sql,
  domainId: number,
  actor: Reach,
  uuid: string,
): Promise<Stored<typeof COMPONENT>> {
  const [component] = await fetchEntities(sql, domainId, COMPONENT, [uuid])
  if (component === undefined || !isWithin(actor, component.unitUuid))
    throw new HoldfastError('NOT_FOUND', `there is no component ${uuid}`)
  return component
}

/** Finds a component; null if there is none that the actor may see. */
export async function findComponent(
  { database, domain }: DomainContext,
  actor: Reach,
  uuid: string,
): Promise<Component | null> {
  const [component] = await readDomain(database, domain.id, (sql) => fetchEntities(sql, domain.id, COMPONENT, [uuid]))
  return component !== undefined && reaches(actor, component) ? component : null
}

/** Lists the components in the actor's reach by name. */
export async function listComponents(
  { database, domain, budget }: DomainContext,
  actor: Reach,
  filter: EntityFilterOf<'Component'>,
  { first, after, mostCounted }: PageRequest,
): Promise<Page<Component>> {
  return readDomain(database, domain.id, async (sql) => {
    const meant = componentsMeant(withinReach(actor, await lookUpFilter(sql, domain.id, COMPONENT, filter)))
    const found = await fetchEntityPage(sql, domain.id, COMPONENT, meant, { first: first + 1, after, by: 'name' })
    const total = await countEntities(sql, domain.id, COMPONENT, meant, mostCounted)
    return pageOf(found, first, total, budget)
  })
}

export async function listSupport(
  { database, domain }: DomainContext,
  componentUuids: readonly string[],
): Promise<readonly ComponentSupport[]> {
  return readDomain(database, domain.id, (sql) => fetchSupport(sql, domain.id, componentUuids))
}
