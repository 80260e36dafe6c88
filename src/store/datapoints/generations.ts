import { INT8, isMapOf, json, nullable } from '../../db/columns.ts'
import type { Database } from '../../db/sql.ts'
import { wholeOf } from '../model/units.ts'

export interface Draw {
  /** Higher than that of every flush whose points were acknowledged before. */
  readonly generation: number
  /** The version of the model of each domain that was asked for. */
  readonly modelVersions: ReadonlyMap<number, number>
  /** The version of access of each domain that was asked for (see `raiseAccessVersion`). */
  readonly accessVersions: ReadonlyMap<number, number>
}

const versions = nullable(json(isMapOf((version): version is number => typeof version === 'number')))
const DRAW = { generation: INT8, versions, access: versions }

/** Draws the number of a flush, with the versions that the flush depends on, in one statement. */
export async function drawGeneration(database: Database, domainIds: readonly number[]): Promise<Draw> {
  const [row] = await database.rows(
    DRAW,
    `select nextval('datapoint_generations') as generation,
       (select json_object_agg(id, model_version) from domains where id = any ($1::bigint[])) as versions,
       (select json_object_agg(domain_id, version) from access_versions where domain_id = any ($1::bigint[])) as access`,
    [domainIds.map(String)],
  )
  if (row === undefined) throw new Error('a sequence gave no number')
  const access = row.access ?? {}
  return {
    generation: row.generation,
    modelVersions: new Map(Object.entries(row.versions ?? {}).map(([id, version]) => [Number(id), version])),
    accessVersions: new Map(domainIds.map((id) => [id, access[id] ?? 0])),
  }
}

/** The highest number that was drawn for a flush. */
export async function lastGeneration(database: Database): Promise<number> {
  const [row] = await wholeOf(database).rows(
    { last: INT8 },
    `select case when is_called then last_value else 0 end as last from datapoint_generations`,
  )
  return row?.last ?? 0
}
