import { HoldfastError } from '../../../lib/errors.ts'
import { isDocumentTypeName } from '../../../records/record-type.ts'
import { recordType } from '../../../records/registry.ts'
import { findRecord } from '../../../platform/records/read-records.ts'
import { checkText } from '../../../server/checked-arguments.ts'
import { receiveMetadata, showMetadata, type MetadataHolder } from '../../metadata/edit-metadata.ts'
import { recordHolder } from '../../metadata/record-metadata.ts'
import { declarePage, type Visit } from '../../page.ts'

/** `/metadata/:type/:key`: the metadata of a record, to change it. That of who signs in is on a page of its own. */
export const RECORD_METADATA_PAGE = declarePage({
  path: '/metadata/:type/:key{.+}',
  area: 'model',
  right: 'model:write',
  keepsWithin: false,
  show: async (visit) => showMetadata(visit, await holderOf(visit)),
  receive: async (visit, filled) => receiveMetadata(visit, await holderOf(visit), filled),
})

async function holderOf(visit: Visit): Promise<MetadataHolder> {
  const [type, key] = [visit.param('type'), checkText(visit.param('key'), 'the key')]
  const isModel = isDocumentTypeName(type) && recordType(type).signsIn === undefined
  const record = isModel ? await findRecord(visit.context, visit.actor, type, key) : null
  const home = `/model/${type}/${encodeURIComponent(key)}`
  const crumbs = [
    { label: 'Model', href: '/model' },
    { label: type, href: `/model/${type}` },
    { label: key, href: home },
  ]
  const holder = record && (await recordHolder(visit, record, { home, crumbs }))
  if (holder === null) throw new HoldfastError('NOT_FOUND', `there is no metadata to change at ${type}/${key}`)
  return holder
}
