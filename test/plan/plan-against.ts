import { readDocument } from '../../src/documents/read/read-document.ts'
import { hasErrors } from '../../src/lib/diagnostic.ts'
import type { LiveIndex, LiveState } from '../../src/plan/live-state.ts'
import { makePlan } from '../../src/plan/make-plan.ts'
import type { Impact, Plan } from '../../src/plan/plan.ts'
import type { RecordKey } from '../../src/records/record-type.ts'
import { NO_SETTINGS, type Settings } from '../../src/records/settings.ts'
import { fileLiveState } from '../../src/reconcile/models/file-live-state.ts'
import { validPlan } from '../support/valid-plan.ts'

/** What a plan is made against beside the records of a document. */
export interface Surroundings {
  readonly settings?: Partial<Settings>
  /** By `type/key`. */
  readonly impact?: { readonly [id: string]: Impact }
  readonly drift?: LiveIndex['drift']
  readonly managed?: LiveIndex['managed']
  /** Answers come in the opposite order. */
  readonly reversed?: boolean
  /** Is told whose referrers are asked for. */
  readonly onReferrers?: (keys: readonly RecordKey[]) => void
}

/** A plan against a platform that holds exactly what `live` says and has managed all of its types. No database. */
export async function planAgainst(live: object, document: object, surroundings: Surroundings = {}): Promise<Plan> {
  const settings = { ...NO_SETTINGS, ...surroundings.settings }
  return validPlan((await makePlan(readValid(document), platformOf(live, surroundings), settings)).plan)
}

function platformOf(
  live: object,
  { impact = {}, drift, managed, reversed = false, onReferrers }: Surroundings,
): LiveState {
  const state = fileLiveState(readValid(live).snapshot)
  return {
    ...state,
    records: async (keys) => inOrder(await state.records(keys), reversed),
    async referrers(keys) {
      onReferrers?.(keys)
      return inOrder(await state.referrers(keys), reversed)
    },
    impact: () => Promise.resolve(new Map(Object.entries(impact))),
    async index() {
      const index = await state.index()
      return { ...index, drift: drift ?? index.drift, managed: managed ?? index.managed }
    },
  }
}

function inOrder<T>(list: readonly T[], reversed: boolean): readonly T[] {
  return reversed ? list.toReversed() : list
}

function readValid(document: object) {
  const reading = readDocument(document)
  if (hasErrors(reading.diagnostics)) throw new Error(`not a valid document: ${JSON.stringify(reading.diagnostics)}`)
  return reading
}
