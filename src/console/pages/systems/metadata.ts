import { updateSystem } from '../../../platform/systems/systems.ts'
import { receiveMetadata, showMetadata, type MetadataHolder } from '../../metadata/edit-metadata.ts'
import { declarePage, type Visit } from '../../page.ts'
import { unchangedSince } from '../../shown-with.ts'
import { requireSystem } from './system-view.ts'

/** `/systems/:uuid/metadata`: the metadata of a system, to change it. */
export const SYSTEM_METADATA_PAGE = declarePage({
  path: '/systems/:uuid/metadata',
  area: 'systems',
  right: 'model:write',
  keepsWithin: true,
  show: async (visit) => showMetadata(visit, await holderOf(visit)),
  receive: async (visit, filled) => receiveMetadata(visit, await holderOf(visit), filled),
})

async function holderOf(visit: Visit): Promise<MetadataHolder> {
  const system = await requireSystem(visit)
  const { uuid, name, metadataKeyValueStore: stored } = system
  const home = `/systems/${uuid}`
  const { context, actor } = visit
  return {
    entity: 'SYSTEM',
    name,
    stored: stored,
    crumbs: [
      { label: 'Systems', href: '/systems' },
      { label: name, href: home },
    ],
    home,
    save: (items) => updateSystem(context, actor, uuid, { metadataKeyValueStore: [...items] }, unchangedSince(system)),
  }
}
