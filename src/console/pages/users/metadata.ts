import { HoldfastError } from '../../../lib/errors.ts'
import { findRecord } from '../../../platform/records/read-records.ts'
import { typeThatSignsIn } from '../../../records/registry.ts'
import { receiveMetadata, showMetadata, type MetadataHolder } from '../../metadata/edit-metadata.ts'
import { recordHolder } from '../../metadata/record-metadata.ts'
import { declarePage, type Visit } from '../../page.ts'

/** `/users/:email/metadata`: the metadata of a user, to change it. */
export const USER_METADATA_PAGE = declarePage({
  path: '/users/:email/metadata',
  area: 'people',
  right: 'access:admin',
  keepsWithin: false,
  show: async (visit) => showMetadata(visit, await holderOf(visit)),
  receive: async (visit, filled) => receiveMetadata(visit, await holderOf(visit), filled),
})

async function holderOf(visit: Visit): Promise<MetadataHolder> {
  const email = visit.param('email')
  const record = await findRecord(visit.context, visit.actor, typeThatSignsIn('person').name, email)
  const home = `/users/${encodeURIComponent(email)}`
  const crumbs = [
    { label: 'Users', href: '/users' },
    { label: email, href: home },
  ]
  const holder = record && (await recordHolder(visit, record, { home, crumbs }))
  if (holder === null) throw new HoldfastError('NOT_FOUND', `there is no user ${email}`)
  return holder
}
