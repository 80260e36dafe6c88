import { UUID } from '../../db/columns.ts'
import type { RowOf } from '../../db/row-shape.ts'
import type { Sql } from '../../db/sql.ts'
import { DATA_TYPES } from '../../records/types/data-types.ts'
import { narrowestOf } from '../narrowest.ts'
import { fetchUnitsWithin } from './units.ts'

export interface ModelComponents {
  /** The key of the component model. */
  readonly componentModel: string
  /** The uuids of systems; left out: of any system. */
  readonly systems?: readonly string[] | undefined
  /** The keys of organizations or units, including all units below them; left out for all. */
  readonly organizationUnits?: readonly string[] | undefined
}

interface ModelComponentFilter extends ModelComponents {
  /** The uuids of organizations or units, without the units below them; left out for all. */
  readonly units?: readonly string[] | undefined
}

const ACTIVE_COMPONENT = { uuid: UUID, systemUuid: UUID }

/** The ACTIVATED components of a model in ACTIVATED systems, at most `most`. */
export async function fetchActiveComponents(
  sql: Sql,
  domainId: number,
  filter: ModelComponentFilter,
  most: number,
): Promise<readonly RowOf<typeof ACTIVE_COMPONENT>[]> {
  const { componentModel, systems, organizationUnits, units } = filter
  const { shown } = narrowestOf(filter, ['systems', 'organizationUnits'])
  const within = organizationUnits === undefined ? null : await fetchUnitsWithin(sql, domainId, organizationUnits)
  return sql.rows(
    ACTIVE_COMPONENT,
    `select c.uuid, c.system_uuid as "systemUuid" from records model
     join components c on c.domain_id = $1 and ${shown('componentModel', 'c.model_uuid = model.uuid')} and c.status = 'ACTIVATED'
     join systems s on s.domain_id = $1 and s.uuid = c.system_uuid and s.status = 'ACTIVATED'
     where model.domain_id = $1 and model.type = '${DATA_TYPES.componentModel}' and model.key = $2
       and ($3::uuid[] is null or c.system_uuid = any ($3::uuid[]))
       and ($4::uuid[] is null or ${shown('organizationUnits', 'c.unit_uuid = any ($4::uuid[])')})
       and ($6::uuid[] is null or ${shown('units', 'c.unit_uuid = any ($6::uuid[])')})
     order by c.name, c.uuid limit $5`,
    [domainId, componentModel, systems ?? null, within, most, units ?? null],
  )
}
