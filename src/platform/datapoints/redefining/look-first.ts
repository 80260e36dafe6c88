import type { Sql } from '../../../db/sql.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import { NO_ANSWERS, type DataAnswers, type DataQuestion } from '../../../plan/guards/stored-data.ts'
import type { Impact } from '../../../plan/plan.ts'
import { recordId } from '../../../records/record-id.ts'
import type { RecordInUse } from '../../../plan/live-state.ts'
import { DATA_TYPES } from '../../../records/types/data-types.ts'
import { settledGeneration } from '../../../store/datapoints/arriving/writer-slots.ts'
import { lookAtHotPoints } from '../../../store/datapoints/points/points.ts'
import {
  countHotPoints,
  countPointsBehind,
  type PointsBehind,
} from '../../../store/datapoints/points/gathered-counts.ts'
import { fetchImpact, haveSystems, mayHaveData } from '../../../store/datapoints/points/impact.ts'
import { MergedMeanwhile } from '../../../store/datapoints/points/stored-values.ts'
import { fetchRecords } from '../../../store/model/records.ts'
import { fetchKept } from '../../../store/datapoints/retention.ts'
import { writeAccess } from '../../../store/domains.ts'
import { requireRightsStill } from '../../change-domain.ts'
import type { DomainContext } from '../../domain-context.ts'
import { askData, redefinedBy } from './ask-data.ts'
import { lookAgain, NewMisfits, type Look } from './look-again.ts'

// A change that stored data may forbid checks the data before it takes the domain's lock, which blocks others. Under
// the lock, it reuses these answers, and checks only newer data (docs/decisions/0065).

type Impacts = ReadonlyMap<string, Impact>

/** The result of checking the data before the change took the lock. */
export interface EarlierLook {
  /** The questions as JSON, by the record that they are about. */
  readonly asked: ReadonlyMap<string, string>
  readonly answers: DataAnswers
  /** The impact of the records. Each counted record has an entry. */
  readonly impacts: Impacts
  /** The retentions that decided which values counted, and the time when each was set, as JSON. */
  readonly kept: string
  /** The check to repeat under the lock; null if no values were checked. */
  readonly look: Look | null
}

const NOTHING_SEEN: EarlierLook = { asked: new Map(), answers: NO_ANSWERS, impacts: new Map(), kept: '', look: null }

/** Stands for a change that is only planned, without the lock, until it has its questions. */
export const REHEARSAL: EarlierLook = { ...NOTHING_SEEN }

/** The data was not asked these yet, or its answers may have changed. The change starts again with a check. */
class LookFirst extends HoldfastError {
  readonly questions: readonly DataQuestion[]
  readonly impacts: Impacts

  constructor(questions: readonly DataQuestion[] = [], impacts: Impacts = new Map()) {
    const message =
      'the definitions that this change is about kept changing while it was made, and nothing was changed; try again'
    super('UNAVAILABLE', message)
    this.questions = questions
    this.impacts = impacts
  }
}

type Context = Pick<DomainContext, 'database' | 'domain' | 'now' | 'stillMay'>

/** After this many values, one misfit is enough to stop a change. */
const ENOUGH = 1_000_000
/** After these errors a change starts again. */
const AGAIN = [LookFirst, NewMisfits, MergedMeanwhile]
/** The number of attempts before the sender must try again. */
const MOST_ATTEMPTS = 5

interface Attempts<T> {
  /** Makes the change under the lock. */
  change(earlier: EarlierLook): Promise<T>
  /** Plans the same change with `REHEARSAL`, without the lock. */
  rehearse(): Promise<unknown>
}

/**
 * Makes a change that reuses the answers of an earlier check. If it needs another check, it starts again from the
 * beginning. With `asksData`, it checks before it takes the lock for the first time.
 */
export async function lookingFirst<T>(context: Context, asksData: boolean, made: Attempts<T>): Promise<T> {
  let isDue = asksData
  for (let attempt = 1; ; attempt += 1) {
    const first = isDue ? await questionsOf(context, made) : null
    try {
      return await made.change(first === null ? NOTHING_SEEN : await lookNow(context, first))
    } catch (error) {
      if (attempt === MOST_ATTEMPTS || !AGAIN.some((kind) => error instanceof kind)) throw error
      isDue = true
    }
  }
}

async function questionsOf(context: Context, { rehearse }: Attempts<unknown>): Promise<LookFirst | null> {
  try {
    await rehearse()
  } catch (error) {
    if (error instanceof LookFirst) return error
    if (!(error instanceof HoldfastError) || error.code === 'UNAVAILABLE') throw error
    // The attempt under the lock reports every other error again.
    if (error.code === 'BLOCKED') {
      await requireRightsStill(context)
      throw error
    }
  }
  return null
}

/** Checks all stored data, and then the data that arrived meanwhile, so that little remains to check under the lock. */
async function lookNow({ database, domain, now }: Context, { questions, impacts }: LookFirst): Promise<EarlierLook> {
  if (questions.length === 0) return { ...NOTHING_SEEN, impacts }
  // This is not one snapshot: everything up to the settled number is stored when the check begins.
  const settled = (): Promise<number> => writeAccess(database, domain.id, settledGeneration)
  const kept = await writeAccess(database, domain.id, (sql) => keptIn(sql, domain.id))
  const redefined = redefinedBy(questions)
  const first = await settled()
  // A change continues after its sender has disconnected, because the sender may request the result later.
  const answers = await askData({ database, domain, now }, questions, ENOUGH)
  const asked = new Map(questions.map((question) => [recordId(question), JSON.stringify(question)]))
  const seen = { asked, answers, impacts, kept }
  if (redefined.length === 0) return { ...seen, look: null }
  const hasMisfits = [...answers.values()].some(({ misfits }) => misfits !== undefined && misfits.points > 0)
  if (hasMisfits) return { ...seen, look: { redefined, through: first } }
  const through = await settled()
  await writeAccess(database, domain.id, (sql) => lookAgain(sql, domain.id, { redefined, through: first }))
  return { ...seen, look: { redefined, through } }
}

async function keptIn(sql: Sql, domainId: number): Promise<string> {
  return JSON.stringify(await fetchKept(sql, domainId))
}

/**
 * The impact of records. Counting it may take long if there is much data. Under the lock, the earlier counts are used
 * if no new data could add a guard.
 */
export async function impactFrom(
  sql: Sql,
  domainId: number,
  earlier: EarlierLook,
  records: readonly RecordInUse[],
): Promise<Impacts> {
  const { impacts } = earlier
  if (earlier === REHEARSAL) {
    const none = records.map((record) => [recordId(record), {}] as const)
    return new Map([...none, ...(await fetchImpact(sql, domainId, records))])
  }
  const unseen = records.filter((record) => mayHaveData(record.type) && !impacts.has(recordId(record)))
  if (unseen.length > 0 && (await haveSystems(sql, domainId))) throw new LookFirst()
  const open = records.filter((record) => !isDecided(record))
  // For an update, only datapoints, and the events of an event model, can still add a guard.
  const { all = [], datapoints = [] } = Object.groupBy(open, ({ type, isDeleted }) =>
    isDeleted || type === DATA_TYPES.eventModel ? 'all' : 'datapoints',
  )
  const later = [
    ...(await fetchImpact(sql, domainId, all)),
    ...(await fetchImpact(sql, domainId, datapoints, 'datapoints')),
  ]
  return new Map([...impacts, ...later.map(([id, impact]) => [id, { ...impacts.get(id), ...impact }] as const)])

  function isDecided(record: RecordInUse): boolean {
    const { datapoints = 0, events = 0, ...rest } = impacts.get(recordId(record)) ?? {}
    if (datapoints > 0 || (events > 0 && record.type === DATA_TYPES.eventModel)) return true
    return record.isDeleted && (events > 0 || Object.values(rest).some((count) => count > 0))
  }
}

/**
 * Answers questions under the domain's lock from an earlier check, if they are still the same. `looked` receives a
 * check that the change must repeat for newer data (`lookAgain`). Data that only affects acknowledged guards is not
 * asked.
 */
export async function answersFrom(
  sql: Sql,
  domainId: number,
  earlier: EarlierLook,
  { questions, impacts }: { readonly questions: readonly DataQuestion[]; readonly impacts: Impacts },
  looked: (look: Look) => void,
): Promise<DataAnswers> {
  const { asked, answers, look } = earlier
  const open = questions.flatMap(openPart)
  if (earlier === REHEARSAL) throw new LookFirst(open, impacts)
  if (open.length === 0 && asked.size === 0) return NO_ANSWERS
  const isSame = asked.size === open.length && open.every((one) => asked.get(recordId(one)) === JSON.stringify(one))
  if (!isSame || earlier.kept !== (await keptIn(sql, domainId))) throw new LookFirst()
  const empty = open.filter((question) => answers.get(recordId(question))?.points === 0)
  // Points may have arrived since. If there were some already, only `lookAgain` can find a further problem.
  const counts = empty.length === 0 ? [] : await countNow(sql, domainId, empty)
  if (counts.some(({ points }) => points > 0)) throw new LookFirst()
  if (look !== null) {
    const records = await fetchRecords(sql, domainId, open)
    looked({ ...look, uuids: new Map(records.map(({ key, uuid }) => [key, uuid])) })
  }
  return answers
}

async function countNow(sql: Sql, domainId: number, questions: readonly DataQuestion[]): Promise<PointsBehind[]> {
  const hot = await lookAtHotPoints(sql, () => countHotPoints(sql, domainId, questions))
  return countPointsBehind(sql, domainId, questions, hot)
}

/** The part of a question that affects open guards. Values, the slowest to read, only affect `invalidates-data`. */
function openPart(question: DataQuestion): DataQuestion[] {
  const { values, ...others } = question
  if (question.open.length === 0) return []
  return [question.open.includes('invalidates-data') ? question : others]
}
