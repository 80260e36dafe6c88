import type { EntityFilterOf } from '../../records/entity.ts'
import { anyOf, contains, matching, TEXTS, UUIDS } from '../entity-filters.ts'
import type { Selection } from '../entity-pages.ts'

export interface ComponentFilter extends EntityFilterOf<'Component'> {
  /** The uuids of organizations or units, and nothing below them. */
  readonly units?: readonly string[] | undefined
}

const match = matching<EntityFilterOf<'Component'>>(
  {
    systems: { type: UUIDS, holds: anyOf('e.system_uuid') },
    componentModels: { type: TEXTS, holds: anyOf('"componentModel".key') },
    status: { type: TEXTS, holds: anyOf('e.status') },
    search: { type: 'text', holds: contains('e.name') },
  },
  { narrow: ['systems'] },
)

export function componentsMeant(filter: ComponentFilter): Selection {
  return { ...match(filter), units: filter.units }
}
