import type { Database } from '../../../../src/db/sql.ts'
import { alreadyNamed, readAtOneMoment } from '../../../../src/platform/datapoints/reading/stored/moment-reader.ts'
import type { PointReader, SeriesReference } from '../../../../src/platform/datapoints/reading/stored/point-reader.ts'

/** Reads series that were looked up before. */
export function atOneMoment<T>(
  database: Database,
  domainId: number,
  series: readonly SeriesReference[],
  to: number,
  work: (reader: PointReader) => Promise<T>,
): Promise<T> {
  return readAtOneMoment(database, domainId, { to }, async () => alreadyNamed({ found: null, series }), work)
}
