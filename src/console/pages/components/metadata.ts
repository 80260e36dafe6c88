import { HoldfastError } from '../../../lib/errors.ts'
import { findComponent, updateComponent } from '../../../platform/systems/components.ts'
import { findSystem } from '../../../platform/systems/systems.ts'
import { receiveMetadata, showMetadata, type MetadataHolder } from '../../metadata/edit-metadata.ts'
import { unchangedSince } from '../../shown-with.ts'
import { namedUuid } from '../../named-uuid.ts'
import { declarePage, type Visit } from '../../page.ts'

/** `/components/:uuid/metadata`: the metadata of a component, to change it. */
export const COMPONENT_METADATA_PAGE = declarePage({
  path: '/components/:uuid/metadata',
  area: 'systems',
  right: 'model:write',
  keepsWithin: true,
  show: async (visit) => showMetadata(visit, await holderOf(visit)),
  receive: async (visit, filled) => receiveMetadata(visit, await holderOf(visit), filled),
})

async function holderOf(visit: Visit): Promise<MetadataHolder> {
  const { context, actor } = visit
  const uuid = namedUuid(visit, 'component')
  const component = await findComponent(context, actor, uuid)
  const system = component && (await findSystem(context, actor, component.systemUuid))
  if (component === null || system === null) throw new HoldfastError('NOT_FOUND', `there is no component ${uuid}`)
  const home = `/systems/${system.uuid}`
  return {
    entity: 'COMPONENT',
    name: component.name,
    stored: component.metadataKeyValueStore,
    crumbs: [
      { label: 'Systems', href: '/systems' },
      { label: system.name, href: home },
    ],
    home,
    save: (items) =>
      updateComponent(context, actor, uuid, { metadataKeyValueStore: [...items] }, unchangedSince(component)),
  }
}
