import type { EntityFilterOf } from '../../records/entity.ts'
import { anyOf, contains, matching, TEXTS, UUIDS } from '../entity-filters.ts'
import type { Selection } from '../entity-pages.ts'

export interface ComponentFilter extends EntityFilterOf<'Component'> {
  /** The uuids of organizations or units, and nothing below them. */
  readonly units?: readonly string[] | undefined
}

const FILTER = matching<EntityFilterOf<'Component'>>({
  systems: { type: UUIDS, holds: anyOf('e.system_uuid') },
  componentModels: { type: TEXTS, holds: anyOf('"componentModel".key') },
  status: { type: TEXTS, holds: anyOf('e.status') },
  search: { type: 'text', holds: contains('e.name') },
})

export function componentsMeant(filter: ComponentFilter): Selection {
  return { matches: FILTER.matches, values: FILTER.valuesOf(filter), units: filter.units }
}
