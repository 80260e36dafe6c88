import { MOST_COMPONENTS } from '../../graphql/system-operations.ts'
import type {
  ComponentListArguments,
  NewComponentArguments,
  PageArguments,
  PageView,
  SystemListArguments,
  SystemResolvers,
} from '../../graphql/system-resolvers.ts'
import { HoldfastError } from '../../lib/errors.ts'
import type { Actor } from '../../platform/access/grants/actor.ts'
import type { DomainContext } from '../../platform/domain-context.ts'
import {
  createComponents,
  findComponent,
  listComponents,
  listSupport,
  updateComponent,
  type NewComponent,
} from '../../platform/systems/components.ts'
import {
  createSystemCredential,
  listSystemCredentials,
  revokeSystemCredential,
} from '../../platform/systems/credentials.ts'
import type { Page, PageRequest } from '../../platform/page.ts'
import { createSystem, findSystem, listSystems, updateSystem } from '../../platform/systems/systems.ts'
import type { ComponentSupport } from '../../store/systems/component-support.ts'
import { checkName, checkPageSize, checkText, checkUuid } from './arguments.ts'
import { inBatches } from './batches.ts'

/** Systems, their components, and the devices that send for them. */
export function systemResolversFor(context: DomainContext, actor: Actor): SystemResolvers {
  const support = inBatches(async (uuids) => {
    const found = await listSupport(context, uuids)
    return new Map(found.map((one): [string, ComponentSupport] => [one.componentUuid, one]))
  })
  return {
    listSystems: async (query) =>
      pageView(query, await listSystems(context, actor, systemFilter(query), pageRequest(query))),
    findSystem: (uuid) => findSystem(context, actor, checkUuid(uuid, 'uuid')),
    createSystem: ({ metadataKeyValueStore: metadata, ...input }) =>
      createSystem(context, actor, { ...input, ...newUuid(input), metadata: metadata ?? null }),
    updateSystem: (uuid, { metadataKeyValueStore: metadata, ...patch }) =>
      updateSystem(context, actor, checkUuid(uuid, 'uuid'), { ...patch, metadata: metadata ?? null }),
    listComponents: async (query) =>
      pageView(query, await listComponents(context, actor, componentFilter(query), pageRequest(query))),
    findComponent: (uuid) => findComponent(context, actor, checkUuid(uuid, 'uuid')),
    supportOf: async (component) => (await support(component))?.pairs ?? [],
    createComponents: (inputs) => {
      if (inputs.length <= MOST_COMPONENTS) return createComponents(context, actor, inputs.map(newComponent))
      const message = `input has ${inputs.length} components, and ${MOST_COMPONENTS} is the most; send several requests`
      throw new HoldfastError('LIMIT_EXCEEDED', message)
    },
    updateComponent: (uuid, { metadataKeyValueStore: metadata, ...patch }) =>
      updateComponent(context, actor, checkUuid(uuid, 'uuid'), { ...patch, metadata: metadata ?? null }),
    listSystemCredentials: (system) => listSystemCredentials(context, checkUuid(system, 'system')),
    createSystemCredential: (system) => createSystemCredential(context, checkUuid(system, 'system')),
    revokeSystemCredential: (uuid) => revokeSystemCredential(context, checkUuid(uuid, 'uuid')),
  }
}

/** A uuid that the caller has chosen. */
export function newUuid({ uuid }: { readonly uuid?: string | null }): { readonly uuid?: string } {
  return uuid == null ? {} : { uuid: checkUuid(uuid, 'uuid') }
}

function newComponent({
  metadataKeyValueStore: metadata,
  system,
  componentModel,
  ...input
}: NewComponentArguments): NewComponent {
  return {
    ...input,
    ...newUuid(input),
    systemUuid: checkUuid(system, 'system'),
    model: componentModel,
    metadata: metadata ?? null,
  }
}

export function pageRequest({ first, after }: PageArguments): PageRequest {
  checkPageSize(first)
  return { first, after: after == null ? null : checkUuid(after, 'after') }
}

export function pageView<Item>({ after }: PageArguments, { items, hasNext, total }: Page<Item>): PageView<Item> {
  return { nodes: items, hasNextPage: hasNext, hasPreviousPage: after != null, totalCount: total }
}

export function uuidsOf(uuids: readonly string[], name: string): readonly string[] {
  return uuids.map((uuid) => checkUuid(uuid, `filter.${name}`))
}

export function keysOf(keys: readonly string[]): readonly string[] {
  return keys.map((key) => checkName(key, 'a record key of the filter'))
}

function systemFilter({ filter }: SystemListArguments) {
  const { uuids, status, organizationUnits, search } = filter ?? {}
  return {
    ...(uuids && { uuids: uuidsOf(uuids, 'uuids') }),
    ...(status && { status }),
    ...(organizationUnits && { organizationUnits: keysOf(organizationUnits) }),
    ...(search && { search: checkText(search, 'filter.search') }),
  }
}

function componentFilter({ filter }: ComponentListArguments) {
  const { systems, componentModels, status, search } = filter ?? {}
  return {
    ...(systems && { systems: uuidsOf(systems, 'systems') }),
    ...(componentModels && { componentModels: keysOf(componentModels) }),
    ...(status && { status }),
    ...(search && { search: checkText(search, 'filter.search') }),
  }
}
