import { compileRules, kindOf } from '../../../records/data-types/data-type.ts'
import type { Redefinition } from '../../../datapoints/chunks/misfits.ts'
import { microsecondsOf } from '../../../datapoints/wire/timestamp.ts'
import type { Sql } from '../../../db/sql.ts'
import { recordId } from '../../../records/record-id.ts'
import {
  NO_ANSWERS,
  type DataAnswers,
  type DataQuestion,
  type QuestionedValues,
} from '../../../plan/guards/stored-data.ts'
import { LOCK_OF_HOT_POINTS } from '../../../store/datapoints/points/points.ts'
import {
  countHotPoints,
  countPointsBehind,
  type GatheredCounts,
  type PointsBehind,
} from '../../../store/datapoints/points/gathered-counts.ts'
import type { SeriesOrigin, ValuesOf } from '../../../store/datapoints/points/stored-values.ts'
import { readDomainFrom } from '../../../store/domains.ts'
import { fetchKept } from '../../../store/datapoints/retention.ts'
import type { DomainContext } from '../../domain-context.ts'
import { Retentions } from '../retention/retentions.ts'
import type { OtherValues } from '../parts/other-series.ts'
import { findMisfits } from './find-misfits.ts'
import type { Redefined } from './misfit-tally.ts'
import { NO_VALUES, readHotValues } from './other-values.ts'

type Context = Pick<DomainContext, 'database' | 'domain' | 'now' | 'left'>

/**
 * Answers all questions about data, in a separate read-only transaction that blocks nobody else. `enough`: the number
 * of values after which the search stops at the first misfit; left out if all are counted.
 */
export async function askData(
  context: Context,
  questions: readonly DataQuestion[],
  enough?: number,
): Promise<DataAnswers> {
  if (questions.length === 0) return NO_ANSWERS
  const { database, domain } = context
  // If all values are checked, the check counts them, too.
  const counted = enough === undefined ? questions.filter(({ values }) => values === undefined) : questions
  const answers = await readDomainFrom(
    database,
    domain.id,
    { lock: LOCK_OF_HOT_POINTS },
    (sql) => lookAtHot(sql, domain.id, questions, counted),
    async (sql, { counts, values }) => {
      const behind = await countPointsBehind(sql, domain.id, counted, counts)
      return answersOf(sql, context, questions, { behind, values }, enough)
    },
  )
  // Values of another kind, and expired values, are not checked.
  const unseen = questions.filter(
    (question) => !counted.includes(question) && answers.get(recordId(question))?.points === 0,
  )
  if (unseen.length === 0) return answers
  const others = await askData(
    context,
    unseen.map(({ values: _, ...question }) => question),
  )
  return new Map([...answers].map(([id, answer]) => [id, { ...answer, ...others.get(id) }]))
}

interface Hot {
  readonly counts: GatheredCounts
  readonly values: OtherValues<SeriesOrigin>
}

interface Seen extends Pick<Hot, 'values'> {
  readonly behind: readonly PointsBehind[]
}

async function lookAtHot(
  sql: Sql,
  domainId: number,
  questions: readonly DataQuestion[],
  counted: readonly DataQuestion[],
): Promise<Hot> {
  const counts = await countHotPoints(sql, domainId, counted)
  const wanted = valuesOf(questions)
  return { counts, values: wanted.length === 0 ? NO_VALUES : await readHotValues(sql, domainId, wanted) }
}

function valuesOf(questions: readonly DataQuestion[]): ValuesOf[] {
  return questions.flatMap(({ key, values }) => (values === undefined ? [] : [{ key, kind: kindOf(values.after) }]))
}

async function answersOf(
  sql: Sql,
  { domain, now, left }: Context,
  questions: readonly DataQuestion[],
  { behind, values: hot }: Seen,
  enough?: number,
): Promise<DataAnswers> {
  const redefined = redefinedBy(questions)
  const looks =
    redefined.length === 0
      ? undefined
      : await findMisfits(sql, domain.id, redefined, {
          hot,
          enough,
          left,
          // Expired values are not checked, even if they are not deleted yet.
          earliestOf: earliest(new Retentions(await fetchKept(sql, domain.id)), microsecondsOf(now())),
        })
  const hotKeys = new Set(hot.origins.map(({ key }) => key))
  const counts = new Map(behind.map((count) => [recordId(count), count]))
  return new Map(
    questions.map((question) => {
      const { points = 0, systems = 0, hot: arrived = 0 } = counts.get(recordId(question)) ?? {}
      const found = question.values === undefined ? undefined : looks?.get(question.key)
      const isArriving = arrived > 0 || (found !== undefined && hotKeys.has(question.key))
      const isCounted = enough === undefined && found !== undefined && found.seen.points > 0
      const counted = isCounted ? found.seen : { points, systems }
      return [recordId(question), { ...counted, isArriving, isCounted, ...(found && { misfits: found.misfits }) }]
    }),
  )
}

export function redefinedBy(questions: readonly DataQuestion[]): Redefined[] {
  return questions.flatMap(({ key, values }) =>
    values === undefined ? [] : [{ ...values, key, redefinition: redefinitionOf(values) }],
  )
}

function redefinitionOf({ before, after }: QuestionedValues): Redefinition {
  return { before: compileRules(before), after: compileRules(after) }
}

function earliest(retentions: Retentions, now: number): (characteristicUuid: string) => number {
  const known = new Map<string, number>()
  return (uuid) => {
    const since = known.get(uuid) ?? retentions.earliestOf(uuid, now)
    known.set(uuid, since)
    return since
  }
}
