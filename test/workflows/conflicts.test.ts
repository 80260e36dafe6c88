import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { readDocument } from '../../src/documents/read/read-document.ts'
import { hasErrors } from '../../src/lib/diagnostic.ts'
import type { HoldfastError } from '../../src/lib/errors.ts'
import type { Plan } from '../../src/plan/plan.ts'
import { applyImport } from '../../src/platform/imports/applying/apply-import.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { recordsThatMoved } from '../../src/reconcile/ci/still-holds.ts'
import { acknowledging, applyAll, makeDomain, plan } from '../support/domain.ts'
import { applyEdit, editArbitrary, type Edit } from '../support/random-edits.ts'
import { modelArbitrary } from '../support/random-model.ts'
import { makeValid, type Model } from '../support/valid-model.ts'
import { movedBetween, stateOf, together, touched, type Step } from './conflict-oracle.ts'
import { mergeModels } from './merge-models.ts'
import { runsOf } from '../support/runs.ts'
import { database, useDatabase } from '../support/one-database.ts'

// Two pull requests that were planned at the same time, merged and applied one after the other. The second apply is
// refused exactly where the first has moved something that it rests on (docs/decisions/0044).

/** LAW_RUNS asks for another number. */
const PAIRS = runsOf('LAW_RUNS', { sample: 12, long: 500 })

/** Passwords are slow to compare on purpose, and there is nothing about them here. */
function withoutPasswords({ machineUsers: _, ...model }: Model): Model {
  return model
}

const model = modelArbitrary().map(withoutPasswords)
/** Without what Git could not merge anyway, or what changes nothing. */
const edit = editArbitrary(model).filter(({ kind }) => !['empty', 'leave-out', 'reorder-keys'].includes(kind))
const edits = fc.array(edit, { minLength: 1, maxLength: 3 })
/** Often both work on the same records. */
const draws = fc.tuple(model, edits, edits, fc.boolean()).map(([base, mine, yours, isNear]) => ({
  base,
  first: branchOf(base, mine),
  second: branchOf(base, isNear ? yours.map((one, at) => ({ ...one, ...nearTo(mine[at] ?? mine[0]) })) : yours),
}))

function nearTo(other: Edit | undefined): Partial<Edit> {
  return other === undefined ? {} : { type: other.type, place: other.place }
}

function branchOf(base: Model, changes: readonly Edit[]): Model {
  return makeValid(changes.reduce(applyEdit, base), base)
}

useDatabase()

let domains = 0

/** A pull request that was planned, and applied alone in a domain of its own. */
interface Applied {
  readonly context: DomainContext
  readonly step: Step
  /** Of the other pull request, as it was reviewed before. */
  readonly reviewed: Plan
  /** What the merge queue sees before anything is applied. */
  readonly inQueue: Plan | null
}

/** Null if it is no pull request: there is nothing to apply, or it cannot be planned. */
async function applyAlone(base: Model, mine: Model, yours: Model, merged: Model): Promise<Applied | null> {
  const context = await makeDomain(database, `domain-${(domains += 1)}`)
  await applyAll(context, base)
  const reviewed = await plan(context, yours)
  if (reviewed.changes.length === 0 || hasErrors(reviewed.diagnostics)) return null
  const inQueue = await plan(context, merged).catch(() => null)
  const before = await stateOf(context)
  await applyAll(context, mine)
  return { context, step: { before, after: await stateOf(context) }, reviewed, inQueue }
}

interface Outcome {
  /** What there is to say against the apply, told without a plan. */
  readonly grounds: readonly string[]
  /** Null: it was applied. */
  readonly error: HoldfastError | null
  readonly seenInQueue: boolean
}

/** Applies the second of two after the first. */
async function applyAfter(first: Applied, second: Step, merged: Model): Promise<Outcome> {
  const { context, step, reviewed, inQueue } = first
  const settings = acknowledgingAll(reviewed)
  const error = await applyImport(context, { document: merged, settings, plan: reviewed, origin: {} }).then(
    () => null,
    (reason: unknown) => reason as HoldfastError,
  )
  const after = await stateOf(context)
  if (error === null) expect(after.bodies).toStrictEqual(together(step, second))
  else expect(after).toStrictEqual(step.after)
  const moved = movedBetween(step, second)
  const grounds = moved.length > 0 || error === null ? moved : await madeOtherwise(context, second, merged)
  return { grounds, error, seenInQueue: inQueue === null || recordsThatMoved(reviewed, inQueue).length > 0 }
}

/** The records that the merged models make into something else than the second was reviewed to do. */
async function madeOtherwise(context: DomainContext, second: Step, merged: Model): Promise<readonly string[]> {
  const made = await applyAll(context, merged).then(
    () => stateOf(context),
    () => null,
  )
  if (made === null) return [WRONG_MODELS]
  return [...touched(second)].filter((id) => made.bodies.get(id) !== second.after.bodies.get(id))
}

const WRONG_MODELS = 'the merged models are not valid'

/** Also what only trips a guard because the first apply has made the type smaller. */
function acknowledgingAll(reviewed: Plan) {
  const codes = ['deletes-data', 'mass-delete', 'takes-over', 'empties-type', 'leaves-scope'] as const
  const types = reviewed.scope.flatMap(({ type }) => codes.map((code) => ({ code, type })))
  const records = reviewed.changes.flatMap(({ type, key }) => codes.map((code) => ({ code, type, key })))
  const { acknowledge, ...settings } = acknowledging(reviewed)
  return { ...settings, acknowledge: [...acknowledge, ...types, ...records] }
}

function isSame(a: Model, b: Model): boolean {
  const [one, other] = [a, b].map((document) => {
    const records = [...readDocument(document).snapshot.values()].flatMap((type) => [...type.records.values()])
    return records.map(({ type, key, digest }) => `${type}/${key} ${digest}`).sort()
  })
  return isDeepStrictEqual(one, other)
}

/** In both orders; none where the two are no pull requests, or Git cannot merge them. */
async function outcomesOf({ base, first, second }: { base: Model; first: Model; second: Model }): Promise<Outcome[]> {
  const merged = mergeModels(base, first, second)
  // Cheaper than to ask a platform.
  if (merged === null || isSame(base, first) || isSame(base, second)) return []
  const one = await applyAlone(base, first, second, merged)
  const other = one === null ? null : await applyAlone(base, second, first, merged)
  if (one === null || other === null) return []
  const steps = [one.step, other.step] as const
  return [await applyAfter(one, steps[1], merged), await applyAfter(other, steps[0], merged)]
}

it(
  `${PAIRS} pairs of pull requests: every conflict is caught, by name, and there is no false alarm`,
  {
    timeout: 600_000,
  },
  async () => {
    const outcomes: Outcome[] = []
    for (const draw of fc.sample(draws, { seed: 17, numRuns: 3 * PAIRS })) {
      if (outcomes.length >= PAIRS) break
      const found = await outcomesOf(draw)
      for (const { grounds, error } of found) {
        const said = error === null ? '' : `${error.code} ${error.message} ${JSON.stringify(error.details)}`
        expect({ draw, grounds, said, isRefused: error !== null }).toMatchObject({ isRefused: grounds.length > 0 })
        expect({ grounds, said }).toSatisfy(() => isTold(error, grounds, said))
      }
      outcomes.push(...found)
    }
    const conflicts = outcomes.filter(({ error }) => error !== null)
    expect(outcomes).toHaveLength(PAIRS)
    expect(conflicts.length).toBeGreaterThan(PAIRS / 20)
    // The queue never stops what could be applied; what it sees is seen before the merge.
    expect(outcomes.filter(({ seenInQueue, error }) => seenInQueue && error === null)).toEqual([])
  },
)

/**
 * A refusal names a record; merged models that are wrong in themselves are refused with every place in them, or with what
 * has moved.
 */
function isTold(error: HoldfastError | null, grounds: readonly string[], said: string): boolean {
  if (error === null) return true
  if (error.code === 'BAD_USER_INPUT') return error.details.length > 0
  const named = (id: string) => {
    const [type = '', ...key] = id.split('/')
    return said.includes(`"type":"${type}","key":${JSON.stringify(key.join('/'))}`)
  }
  const isNamed = grounds.includes(WRONG_MODELS) ? error.details.length > 0 : grounds.some(named)
  return error.code === 'STALE_PLAN' && isNamed
}
