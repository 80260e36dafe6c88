import type { MetadataItem } from '../../../generated/import-document.ts'
import { HoldfastError } from '../../lib/errors.ts'
import type { JsonObject } from '../../lib/json.ts'
import { updateRecord } from '../../platform/records/change-record.ts'
import { findRecord } from '../../platform/records/read-records.ts'
import { findComponent, updateComponent } from '../../platform/systems/components.ts'
import { findSystem, updateSystem } from '../../platform/systems/systems.ts'
import { COMPONENT, SYSTEM } from '../../records/entities.ts'
import { splitKey } from '../../records/identity.ts'
import { isMetadata } from '../../records/metadata.ts'
import { METADATA_FIELD } from '../../records/metadata-limits.ts'
import { isDocumentTypeName } from '../../records/record-type.ts'
import { recordType, typeThatSignsIn } from '../../records/registry.ts'
import { checkText } from '../../server/checked-arguments.ts'
import type { StoredRecord } from '../../store/model/records.ts'
import { entityBlock } from '../declared/view.ts'
import { metadataPage, type MetadataHolder } from '../metadata/metadata-page.ts'
import { namedUuid } from '../named-uuid.ts'
import type { Crumb, Visit } from '../page.ts'
import { fromGit } from '../parts/from-git.ts'
import { unchangedSince } from '../shown-with.ts'
import { requireSystem } from './systems/system-view.ts'

/** `/systems/:uuid/metadata`: edits the metadata of a system. */
export const SYSTEM_METADATA_PAGE = metadataPage({
  path: '/systems/:uuid/metadata',
  area: 'systems',
  right: SYSTEM.rights.write,
  keepsWithin: true,
  async find(visit) {
    const system = await requireSystem(visit)
    const { uuid, name, metadataKeyValueStore: stored } = system
    const { context, actor } = visit
    return {
      ...ofSystem(uuid, name),
      entity: SYSTEM.metadataEntity,
      name,
      stored,
      save: (items) =>
        updateSystem(context, actor, uuid, { metadataKeyValueStore: [...items] }, unchangedSince(system)),
    }
  },
})

function ofSystem(uuid: string, label: string) {
  const home = `/systems/${uuid}`
  return {
    home,
    crumbs: [
      { label: 'Systems', href: '/systems' },
      { label, href: home },
    ],
  }
}

/** `/components/:uuid/metadata`: shows a component, and edits its metadata. */
export const COMPONENT_METADATA_PAGE = metadataPage({
  path: '/components/:uuid/metadata',
  area: 'systems',
  right: COMPONENT.rights.write,
  keepsWithin: true,
  async find(visit) {
    const { context, actor } = visit
    const uuid = namedUuid(visit, 'component')
    const component = await findComponent(context, actor, uuid)
    const system = component && (await findSystem(context, actor, component.systemUuid))
    if (component === null || system === null) throw new HoldfastError('NOT_FOUND', `there is no component ${uuid}`)
    return {
      ...ofSystem(system.uuid, system.name),
      entity: COMPONENT.metadataEntity,
      name: component.name,
      stored: component.metadataKeyValueStore,
      beside: entityBlock(visit, COMPONENT, component),
      save: (items) =>
        updateComponent(context, actor, uuid, { metadataKeyValueStore: [...items] }, unchangedSince(component)),
    }
  },
})

/** `/metadata/:type/:key`: edits the metadata of a record. Accounts have their own page. */
export const RECORD_METADATA_PAGE = metadataPage({
  path: '/metadata/:type/:key{.+}',
  area: 'model',
  right: 'model:write',
  keepsWithin: false,
  async find(visit) {
    const [type, key] = [visit.param('type'), checkText(visit.param('key'), 'the key')]
    const isModel = isDocumentTypeName(type) && recordType(type).signsIn === undefined
    const record = isModel ? await findRecord(visit.context, visit.actor, type, key) : null
    return recordHolder(visit, record, `/model/${type}/${encodeURIComponent(key)}`, [
      { label: 'Model', href: '/model' },
      { label: type, href: `/model/${type}` },
    ])
  },
})

/** `/users/:email/metadata`: edits the metadata of a user. */
export const USER_METADATA_PAGE = metadataPage({
  path: '/users/:email/metadata',
  area: 'people',
  right: 'access:admin',
  keepsWithin: false,
  async find(visit) {
    const email = visit.param('email')
    const record = await findRecord(visit.context, visit.actor, typeThatSignsIn('person').name, email)
    return recordHolder(visit, record, `/users/${encodeURIComponent(email)}`, [{ label: 'Users', href: '/users' }])
  },
})

/** The kind's name in metadata types; null without metadata, and for nodes of a tree, edited with their root. */
export function metadataEntityOf({ type, key }: Pick<StoredRecord, 'type' | 'key'>): string | null {
  const { metadataEntity, tree } = recordType(type)
  const isPart = tree !== undefined && splitKey(key).length > 1
  return isPart ? null : (metadataEntity?.(0) ?? null)
}

export function metadataOf({ body }: Pick<StoredRecord, 'body'>) {
  const stored = body[METADATA_FIELD]
  return isMetadata(stored) ? stored : []
}

/** Copies the item, because the compiler does not accept an interface as a JsonObject. */
function toJson({ key, value }: MetadataItem): JsonObject {
  return { key, value: typeof value === 'object' && value !== null ? { ...value } : value }
}

async function recordHolder(
  visit: Visit,
  record: StoredRecord | null,
  home: string,
  crumbs: readonly Crumb[],
): Promise<MetadataHolder> {
  const entity = record && metadataEntityOf(record)
  if (record === null || entity === null)
    throw new HoldfastError('NOT_FOUND', `there is no metadata to change at ${home}`)
  const { type, key } = record
  return {
    entity,
    name: key,
    stored: metadataOf(record),
    crumbs: [...crumbs, { label: key, href: home }],
    home,
    before: await fromGit(visit, type),
    save: (items) =>
      updateRecord(visit.context, type, key, { [METADATA_FIELD]: items.map(toJson) }, [], unchangedSince(record)),
  }
}
