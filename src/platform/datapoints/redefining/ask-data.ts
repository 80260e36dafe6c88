import { compileRules } from '../../../datapoints/rules/compile-rules.ts'
import { kindOf } from '../../../datapoints/rules/kind-of.ts'
import type { Redefinition } from '../../../datapoints/rules/misfits.ts'
import { microsecondsOf } from '../../../datapoints/wire/timestamp.ts'
import type { Sql } from '../../../db/sql.ts'
import { recordId } from '../../../records/record-id.ts'
import {
  NO_ANSWERS,
  type DataAnswers,
  type DataQuestion,
  type QuestionedValues,
} from '../../../plan/guards/stored-data.ts'
import { settledGeneration } from '../../../store/datapoints/arriving/generations.ts'
import { LOCK_OF_HOT_POINTS, lookAtHotPoints } from '../../../store/datapoints/points/points.ts'
import { countPointsBehind, type PointsBehind } from '../../../store/datapoints/points/points-behind.ts'
import type { SeriesOrigin, ValuesOf } from '../../../store/datapoints/points/stored-values.ts'
import { readDomainFrom } from '../../../store/domains.ts'
import { fetchKept } from '../../../store/datapoints/retention.ts'
import type { DomainContext } from '../../domain-context.ts'
import { Retentions } from '../../retention/retentions.ts'
import type { OtherValues } from '../parts/other-series.ts'
import { findMisfits, type Haste } from './find-misfits.ts'
import type { Look } from './look-again.ts'
import type { Redefined } from './misfit-tally.ts'
import { NO_VALUES, readHotValues } from './other-values.ts'

type Context = Pick<DomainContext, 'database' | 'domain' | 'now' | 'left' | 'longestLookMs'>

/** Under the domain's lock others wait, and one misfit is enough to stop the change. */
const ENOUGH_UNDER_LOCK = 1_000_000
/** An apply that has no answer after this time releases the lock. */
const LONGEST_UNDER_LOCK_MS = 30_000

/** Answers all questions about data, in a read-only transaction of its own. Only a plan waits for it. */
export async function askData(context: Context, questions: readonly DataQuestion[]): Promise<DataAnswers> {
  if (questions.length === 0) return NO_ANSWERS
  const { database, domain } = context
  return readDomainFrom(
    database,
    domain.id,
    { lock: LOCK_OF_HOT_POINTS },
    (sql) => lookAtHot(sql, domain.id, questions),
    (sql, hot) => answersOf(sql, context, questions, hot),
  )
}

/**
 * Answers the questions within the transaction that is about to make the change, so that points which arrived after
 * the plan count. Data that only decides about acknowledged guards is not read. `looked` is told of each look at values,
 * which the change must repeat for what comes after it (`lookAgain`).
 */
export async function askDataWithin(
  sql: Sql,
  context: Context,
  questions: readonly DataQuestion[],
  looked: (look: Look) => void,
): Promise<DataAnswers> {
  const open = questions.flatMap(openPart)
  if (open.length === 0) return NO_ANSWERS
  const redefined = redefinedBy(open)
  if (redefined.length > 0) looked({ redefined, through: await settledGeneration(sql) })
  const hot = await lookAtHotPoints(sql, () => lookAtHot(sql, context.domain.id, open))
  // An apply goes on when its sender has left, because the sender may ask later for its result.
  const { left: _, ...staying } = context
  const haste = { values: ENOUGH_UNDER_LOCK, ms: context.longestLookMs ?? LONGEST_UNDER_LOCK_MS }
  return answersOf(sql, staying, open, hot, haste)
}

/**
 * The part of a question that decides about open guards. Values only decide about `invalidates-data`, and reading
 * them takes by far the longest.
 */
function openPart(question: DataQuestion): DataQuestion[] {
  const { values, ...others } = question
  if (question.open.length === 0) return []
  return [question.open.includes('invalidates-data') ? question : others]
}

interface Hot {
  readonly behind: readonly PointsBehind[]
  readonly values: OtherValues<SeriesOrigin>
}

async function lookAtHot(sql: Sql, domainId: number, questions: readonly DataQuestion[]): Promise<Hot> {
  const behind = await countPointsBehind(sql, domainId, questions)
  const wanted = valuesOf(questions)
  return { behind, values: wanted.length === 0 ? NO_VALUES : await readHotValues(sql, domainId, wanted) }
}

function valuesOf(questions: readonly DataQuestion[]): ValuesOf[] {
  return questions.flatMap(({ key, values }) => (values === undefined ? [] : [{ key, kind: kindOf(values.after) }]))
}

async function answersOf(
  sql: Sql,
  { domain, now, left }: Context,
  questions: readonly DataQuestion[],
  { behind, values: hot }: Hot,
  haste?: Haste,
): Promise<DataAnswers> {
  const redefined = redefinedBy(questions)
  const looks =
    redefined.length === 0
      ? undefined
      : await findMisfits(sql, domain.id, redefined, {
          hot,
          haste,
          left,
          // Values that are not kept any more are not checked, whether or not they are deleted yet.
          earliestOf: earliest(new Retentions(await fetchKept(sql, domain.id)), microsecondsOf(now())),
        })
  const counts = new Map(behind.map((count) => [recordId(count), count]))
  return new Map(
    questions.map((question) => {
      const { points = 0, systems = 0, hot: arrived = 0 } = counts.get(recordId(question)) ?? {}
      const found = question.values === undefined ? undefined : looks?.get(question.key)
      const isArriving = arrived > 0
      // Values of another kind, and those that are not kept any more, are not looked at.
      const isCounted = haste === undefined && found !== undefined && found.seen.points > 0
      const counted = isCounted ? found.seen : { points, systems }
      return [recordId(question), { ...counted, isArriving, isCounted, ...(found && { misfits: found.misfits }) }]
    }),
  )
}

function redefinedBy(questions: readonly DataQuestion[]): Redefined[] {
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
