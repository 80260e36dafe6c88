import type { Status } from '../../../generated/import-document.ts'
import type { Sql } from '../../db/sql.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { DATA_TYPES } from '../../records/types/data-types.ts'
import { fetchSupport, type ComponentSupport } from '../../store/systems/component-support.ts'
import {
  countComponents,
  fetchComponentPage,
  fetchComponents,
  insertComponents,
  updateStoredComponent,
  type ComponentFilter,
  type StoredComponent,
  type WrittenComponent,
} from '../../store/systems/components.ts'
import { readDomain, writeSystems } from '../../store/domains.ts'
import type { DomainContext } from '../domain-context.ts'
import { checkedLine } from './checked-text.ts'
import {
  changedMetadata,
  fetchEntityRules,
  keepUnique,
  newMetadata,
  type EntityRules,
  type MetadataInput,
} from './metadata.ts'
import { pageOf, type Page, type PageRequest } from '../page.ts'
import { isWithin, reaches, withinReach, type Reach } from './reach.ts'
import { requireRecords, requireSystems } from './references.ts'

export type Component = WrittenComponent

export interface NewComponent {
  /** The uuid, so that the same component is not made twice; left out for a new one. */
  readonly uuid?: string | null
  readonly systemUuid: string
  /** The key of the component model. */
  readonly model: string
  readonly name: string
  readonly status?: Status | null
  readonly isPrototype?: boolean | null
  readonly metadata?: readonly MetadataInput[] | null
}

/** Creates all of them or none, with a number of statements that does not depend on how many there are. */
export async function createComponents(
  context: DomainContext,
  actor: Reach,
  inputs: readonly NewComponent[],
): Promise<readonly Component[]> {
  const { database, domain } = context
  if (inputs.length === 0) return []
  return writeSystems(database, domain.id, async (sql) => {
    const rules = await fetchEntityRules(sql, domain.id, 'COMPONENT')
    const now = context.now()
    const components = inputs.map((input) => newComponent(context, rules, input, now))
    const models = components.map(({ model }) => model)
    await requireRecords(sql, domain.id, DATA_TYPES.componentModel, models)
    const systems = components.map(({ systemUuid }) => systemUuid)
    await requireSystems(sql, domain.id, actor, systems)
    const made = await insertComponents(sql, domain.id, components, now)
    refuseTwins(components, made)
    await keepUnique(sql, domain.id, rules, components)
    return components
  })
}

function newComponent(context: DomainContext, rules: EntityRules, input: NewComponent, now: Date): Component {
  return {
    uuid: input.uuid ?? context.newId(),
    systemUuid: input.systemUuid,
    model: input.model,
    name: checkedLine(input.name, 'the name'),
    status: input.status ?? 'ACTIVATED',
    isPrototype: input.isPrototype ?? false,
    metadata: newMetadata(rules, input.metadata ?? []),
    createdAt: now,
    updatedAt: now,
  }
}

function refuseTwins(wanted: readonly Component[], made: readonly { readonly uuid: string }[]): void {
  if (made.length === wanted.length) return
  const uuids = new Set(made.map(({ uuid }) => uuid))
  const twin = wanted.find(({ uuid }) => !uuids.delete(uuid))
  throw new HoldfastError('CONFLICT', `there is a component ${twin?.uuid} already`)
}

export interface ComponentPatch {
  readonly name?: string | null
  readonly status?: Status | null
  readonly isPrototype?: boolean | null
  /** Replaces all metadata. */
  readonly metadata?: readonly MetadataInput[] | null
}

/** Changes the given fields and leaves the others. */
export async function updateComponent(
  context: DomainContext,
  actor: Reach,
  uuid: string,
  patch: ComponentPatch,
): Promise<Component> {
  const { database, domain } = context
  return writeSystems(database, domain.id, async (sql) => {
    const before = await requireComponent(sql, domain.id, actor, uuid)
    const rules = await fetchEntityRules(sql, domain.id, 'COMPONENT')
    const component: Component = {
      ...before,
      name: patch.name == null ? before.name : checkedLine(patch.name, 'the name'),
      status: patch.status ?? before.status,
      isPrototype: patch.isPrototype ?? before.isPrototype,
      metadata: patch.metadata == null ? before.metadata : changedMetadata(rules, patch.metadata),
      updatedAt: context.now(),
    }
    await updateStoredComponent(sql, domain.id, component)
    if (patch.metadata != null) await keepUnique(sql, domain.id, rules, [component])
    return component
  })
}

async function requireComponent(sql: Sql, domainId: number, actor: Reach, uuid: string): Promise<StoredComponent> {
  const [component] = await fetchComponents(sql, domainId, [uuid])
  if (component === undefined || !isWithin(actor, component.unitUuid))
    throw new HoldfastError('NOT_FOUND', `there is no component ${uuid}`)
  return component
}

/** Null where there is none, or none that the actor may see. */
export async function findComponent(
  { database, domain }: DomainContext,
  actor: Reach,
  uuid: string,
): Promise<Component | null> {
  const [component] = await readDomain(database, domain.id, (sql) => fetchComponents(sql, domain.id, [uuid]))
  return component !== undefined && reaches(actor, component) ? component : null
}

/** Lists the components in the actor's reach by name. */
export async function listComponents(
  { database, domain }: DomainContext,
  actor: Reach,
  filter: ComponentFilter,
  { first, after }: PageRequest,
): Promise<Page<Component>> {
  const own = withinReach(actor, filter)
  return readDomain(database, domain.id, async (sql) => {
    const found = await fetchComponentPage(sql, domain.id, own, { first: first + 1, after })
    const total = await countComponents(sql, domain.id, own)
    return pageOf(found, first, total)
  })
}

export async function listSupport(
  { database, domain }: DomainContext,
  componentUuids: readonly string[],
): Promise<readonly ComponentSupport[]> {
  return readDomain(database, domain.id, (sql) => fetchSupport(sql, domain.id, componentUuids))
}
