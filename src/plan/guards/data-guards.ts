import { kindOf, TYPE_OF_KIND } from '../../records/data-types/data-type.ts'
import { counted } from '../../lib/counted.ts'
import type { RecordBody } from '../../records/record-type.ts'
import { recordType } from '../../records/registry.ts'
import { countsOf, isOfOne } from '../impact-text.ts'
import type { Change, GuardCode, Impact, StoredExample } from '../plan.ts'
import { areStoredAlike, dataEffects, deletionGuard, type DataAnswer, type Misfits } from './stored-data.ts'

/** A guard about stored data, before acknowledgements are looked up. */
interface DataGuard {
  readonly code: GuardCode
  readonly message: string
  readonly examples?: readonly StoredExample[]
}

type BareDraft = Pick<Change, 'type' | 'action' | 'before' | 'after'>

/** Finds the guards about stored data. Without an answer from the data itself, every possible effect counts as real. */
export function dataGuards(change: BareDraft, impact: Impact, answer: DataAnswer | undefined): DataGuard[] {
  const counts = countsOf(impact)
  if (change.action === 'delete') return counts === '' ? [] : [deletion(change, counts, storedText(impact, answer))]
  const { before, after } = change
  if (before === null || after === null) return []
  return [...restated(change.type, before, after, impact), ...aboutDatapoints(change, before, after, impact, answer)]
}

/** Events are not sent again, and are read by the present model. */
function restated(type: BareDraft['type'], before: RecordBody, after: RecordBody, { events = 0 }: Impact): DataGuard[] {
  const how = events === 0 ? null : (recordType(type).restatesEvents?.(before, after) ?? null)
  return how === null ? [] : [{ code: 'invalidates-data', message: `${how} (${counted(events, 'event')})` }]
}

function aboutDatapoints(
  change: BareDraft,
  before: RecordBody,
  after: RecordBody,
  impact: Impact,
  answer: DataAnswer | undefined,
): DataGuard[] {
  if ((impact.datapoints ?? 0) === 0) return []
  const { retypes, narrows, relabels, strands } = dataEffects(change)
  const stored = storedText(impact, answer)
  return [
    ...(retypes === null ? [] : [retyped(retypes, stored, before, after, answer?.misfits)]),
    ...(retypes === null && narrows !== null ? narrowed(narrows, stored, answer) : []),
    ...(relabels === null ? [] : [relabelled(relabels, stored)]),
    ...(strands === null ? [] : [stranded(`${strands}: `, String(after['status']).toLowerCase(), stored)]),
  ]
}

function deletion(change: BareDraft, counts: string, stored: string): DataGuard {
  const code = deletionGuard(change.type)
  if (code === 'strands-data') return stranded('', 'not-supported', stored)
  const archive = 'status' in (change.before ?? {}) ? '; status: ARCHIVED keeps it' : ''
  return { code, message: `${counts} belong${isOfOne(counts) ? 's' : ''} to it${archive}` }
}

/** `refusal` is the code by which datapoints would be refused. */
function stranded(how: string, refusal: string, stored: string): DataGuard {
  const message = `${how}new datapoints for it would be refused (${refusal}), each with its whole batch; stored data stays readable: ${stored}`
  return { code: 'strands-data', message }
}

function retyped(
  how: string,
  stored: string,
  before: RecordBody,
  after: RecordBody,
  misfits: Misfits | undefined,
): DataGuard {
  const code = 'invalidates-data'
  if (!areStoredAlike(before, after)) {
    const type = TYPE_OF_KIND[kindOf(before)]
    const message = `${how}: stored data (${stored}) stays readable as ${type}; to see it in pages, charts and figures, ask for dataType ${type}`
    return { code, message }
  }
  const message = `${how}: stored data (${stored}) is read as ${String(after['dataType'])} from then on${fittingText(misfits)}`
  return { code, message, ...examplesOf(misfits) }
}

function fittingText(misfits: Misfits | undefined): string {
  if (misfits === undefined) return ''
  return misfits.points === 0 ? ', and all of it fits' : `; ${misfitText(misfits, false)} would not fit`
}

function narrowed(how: string, stored: string, answer: DataAnswer | undefined): DataGuard[] {
  const { misfits, isArriving = false } = answer ?? {}
  if (misfits === undefined) return [{ code: 'invalidates-data', message: `${how}, with ${stored} before` }]
  if (misfits.points === 0) return []
  const message = `${how}: ${misfitText(misfits, isArriving)} would no longer fit`
  return [{ code: 'invalidates-data', message, ...examplesOf(misfits) }]
}

function relabelled(how: string, stored: string): DataGuard {
  const message = `${how}: stored data (${stored}) keeps its values and would be read in the other unit`
  return { code: 'relabels-data', message }
}

function examplesOf(misfits: Misfits | undefined): Pick<DataGuard, 'examples'> {
  return misfits === undefined || misfits.examples.length === 0 ? {} : { examples: misfits.examples }
}

/** Writes `1,204 datapoints of 3 systems`. `at least` if more may arrive, `about` if not counted singly. */
function storedText({ datapoints = 0 }: Impact, answer: DataAnswer | undefined): string {
  const { points = datapoints, systems, isArriving = false, isCounted = false } = answer ?? {}
  const least = isArriving ? 'at least ' : ''
  return `${isCounted ? least : 'about '}${counted(points, 'datapoint')}${ofSystems(systems)}`
}

function misfitText({ points, systems, isIncomplete }: Misfits, isArriving: boolean): string {
  const least = isIncomplete || isArriving ? 'at least ' : ''
  return `${least}${counted(points, 'stored datapoint')}${ofSystems(systems)}`
}

function ofSystems(systems: number | undefined): string {
  return systems === undefined ? '' : ` of ${counted(systems, 'system')}`
}
