import { StateChanges, type Run } from '../../../../datapoints/buckets/state-changes.ts'
import { charactersOfCell } from '../../../../datapoints/chunks/columns.ts'
import { AnswerBudget } from '../../../answer-budget.ts'
import type { PointReader, SeriesReference } from '../stored/point-reader.ts'
import type { CurveQuery } from './read-curve.ts'
import { checkCount, READING_LIMITS } from '../reading-limits.ts'

/** The states of a series and their times. A state from before the range holds from the beginning of the range. */
export async function readStates(
  reader: PointReader,
  series: SeriesReference,
  { from, to, maxPoints, name = 'maxPoints' }: Omit<CurveQuery, 'thinning'>,
  budget = new AnswerBudget(),
): Promise<Run[]> {
  const limit = checkCount(maxPoints, name, 1, READING_LIMITS.thinned)
  const before = (await reader.latest([series], from)).get(series.seriesId)
  const changes = new StateChanges({ from, to, before, limit })
  for await (const { columns } of reader.read([series], { from, to, order: 'oldest first' })) {
    changes.add(columns)
    budget.check(changes.characters)
  }
  const runs = changes.finish()
  budget.take(runs.reduce((sum, { value }) => sum + charactersOfCell(value), 0))
  return runs
}
