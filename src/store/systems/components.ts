import type { EntityFilterOf } from '../../records/entity.ts'
import { anyOf, contains, matching, METADATA_CONDITIONS, TEXTS, UUIDS, type MetadataFilter } from '../entity-filters.ts'
import type { Selection } from '../entity-pages.ts'

/** Its `organizationUnits` are uuids, as those of systems are. */
export interface ComponentFilter extends Omit<EntityFilterOf<'Component'>, 'metadata'>, MetadataFilter {
  /** The uuids of organizations or units, and nothing below them. */
  readonly units?: readonly string[] | undefined
}

const match = matching<Omit<ComponentFilter, 'units'>>(
  {
    systems: { type: UUIDS, holds: anyOf('e.system_uuid') },
    componentModels: { type: TEXTS, holds: anyOf('"componentModel".key') },
    status: { type: TEXTS, holds: anyOf('e.status') },
    search: { type: 'text', holds: contains('e.name') },
    organizationUnits: { type: UUIDS, holds: anyOf('e.unit_uuid') },
    ...METADATA_CONDITIONS,
  },
  { narrow: ['systems', 'holders', 'organizationUnits'] },
)

export function componentsMeant(filter: ComponentFilter): Selection {
  return { ...match(filter), units: filter.units }
}
