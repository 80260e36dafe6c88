import { INT8, TEXT, oneOf } from '../../../src/db/columns.ts'
import { readPoints } from '../../../src/platform/datapoints/reading/stored/read-points.ts'
import type { DomainContext } from '../../../src/platform/domain-context.ts'
import { KINDS } from '../../../src/datapoints/chunks/flush.ts'
import { ERASED, erasedOf } from '../../../src/store/datapoints/erased-ranges.ts'
import { readDomain } from '../../../src/store/domains.ts'

const ALL_TIME = { from: 0, to: 2 ** 52 }

/** What a domain has of datapoints: `component characteristic` → [time, value] in the order of time. */
export async function historyOf({
  database,
  domain,
}: DomainContext): Promise<{ readonly [series: string]: readonly (readonly [number, unknown])[] }> {
  const series = await readDomain(database, domain.id, (sql) =>
    sql.rows(
      { seriesId: INT8, kind: oneOf(KINDS), name: TEXT, erased: ERASED },
      `select s.id as "seriesId", s.value_kind as kind, ${erasedOf('s.id')} as erased, c.name || ' ' || r.key as name from series s
       join components c on c.domain_id = s.domain_id and c.uuid = s.component_uuid
       join records r on r.domain_id = s.domain_id and r.uuid = s.characteristic_uuid
       where s.domain_id = $1 order by name`,
      [domain.id],
    ),
  )
  const points = await readPoints(database, domain.id, series, ALL_TIME)
  return Object.fromEntries(
    series.map(({ seriesId, name }) => {
      const { at, values } = points.get(seriesId) ?? { at: new Float64Array(), values: [] }
      return [name, Array.from(at, (time, index) => [time, values[index]] as const)]
    }),
  )
}
