import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../src/db/sql.ts'
import { hasErrors } from '../../src/lib/diagnostic.ts'
import { HoldfastError } from '../../src/lib/errors.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { stableUuid } from '../../src/lib/stable-uuid.ts'
import { allChanges, type Plan } from '../../src/plan/plan.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { applyImport } from '../../src/platform/imports/apply-import.ts'
import { planImport } from '../../src/platform/imports/plan-import.ts'
import { readDocument } from '../../src/documents/read/read-document.ts'
import { updateRecord } from '../../src/platform/records/change-record.ts'
import { leftOver } from '../../src/reconcile/apply/left-over.ts'
import { baseOf } from '../../src/reconcile/models/base-of.ts'
import { modelsAt } from '../../src/reconcile/models/models-at.ts'
import type { Models } from '../../src/reconcile/models/models.ts'
import { recordId } from '../../src/records/record-id.ts'
import { NO_SETTINGS } from '../../src/records/settings.ts'
import { ANY_DATABASE } from '../support/databases.ts'
import { applyAll, emptyDomain, makeDomain } from '../support/domain.ts'
import { runsOf } from '../support/runs.ts'
import { stateOf } from './conflict-oracle.ts'
import { eventArbitrary, type Event } from './schedule-events.ts'
import { plainGit, type PlainGit } from './schedule-git.ts'
import { BEGINNING, differing, edited, foundOn, neededBy, wantedBy, type Draw, type Wanted } from './schedule-models.ts'

// Several pull requests that are opened, pushed to, merged, approved, rejected, taken back and run again in any order. What
// is made is what was approved, never before, and no job stays red for ever (docs/decisions/0044).

/** SCHEDULE_RUNS asks for another number. */
const SCHEDULES = runsOf('SCHEDULE_RUNS', { sample: 15, long: 500 })

let database: Database
let context: DomainContext
let git: ReturnType<typeof plainGit>
let start: string
beforeAll(async () => {
  database = await ANY_DATABASE.openMigrated()
  context = await makeDomain(database)
  git = plainGit()
  start = git.commit(git.root, BEGINNING)
})
afterAll(async () => {
  git.close()
  await database.close()
})

const loaded = new Map<string, Promise<Models | null>>()

/** Read from Git as a command does it, each commit once. */
function modelsOf(commit: string): Promise<Models | null> {
  const known = loaded.get(commit) ?? modelsAt(commit, 'models', { cwd: git.directory, env: process.env })
  loaded.set(commit, known)
  return known
}

async function documentOf(commit: string): Promise<JsonObject> {
  return (await modelsOf(commit))?.document ?? {}
}

async function isValid(commit: string): Promise<boolean> {
  const models = await modelsOf(commit)
  return models !== null && !hasErrors(models.diagnostics) && !hasErrors(readDocument(models.document).diagnostics)
}

interface Reviewed {
  readonly plan: Plan
  /** What the models of the target branch and of the merge that was tried want. */
  readonly base: Wanted
  readonly wanted: Wanted
}

interface Pull {
  head: string
  reviewed: Reviewed | null
  merged: { readonly commit: string; readonly before: string } | null
  /** How its job has ended the last time; null where it never ran. */
  state: 'green' | 'red' | null
}

function isSame(found: unknown, wanted: unknown): void {
  expect(found).toEqual(wanted)
}

class Schedule {
  main = start
  readonly pulls: Pull[] = []

  async platform(): Promise<Wanted> {
    return foundOn((await stateOf(context)).bodies)
  }

  /** What cannot be done as nothing is there for it is replaced by what makes something for it. */
  async take({ kind, nth, isSquashed, draws }: Event): Promise<void> {
    const open = this.pulls.filter(({ merged, reviewed }) => merged === null && reviewed !== null)
    const merged = this.pulls.filter((pull) => pull.merged !== null)
    const waiting = merged.filter(({ state }) => state !== 'green')
    if (kind === 'reconcile') return this.reconcile()
    if (kind === 'drift') return this.drift(draws[0])
    if (kind === 'approve' && waiting.length > 0) return this.approve(pick(waiting, nth))
    if (kind === 'again' && merged.length > 0) return this.approve(pick(merged, nth))
    if (kind === 'revert' && merged.length > 0) return this.revert(pick(merged, nth))
    if (kind === 'push' && open.length > 0) return this.push(pick(open, nth), draws)
    if (kind !== 'open' && open.length > 0) return this.merge(pick(open, nth), isSquashed)
    return this.open(draws)
  }

  async open(draws: readonly Draw[]): Promise<void> {
    const head = withDraws(git, this.main, draws)
    if (head === this.main) return
    const pull: Pull = { head, reviewed: null, merged: null, state: null }
    this.pulls.push(pull)
    await this.plan(pull)
  }

  async push(pull: Pull | undefined, draws: readonly Draw[]): Promise<void> {
    if (pull === undefined) return
    pull.head = withDraws(git, pull.head, draws)
    await this.plan(pull)
  }

  /** What a pull request shows is what it changes itself, whatever of main the platform has. */
  async plan(pull: Pull): Promise<void> {
    const before = await this.platform()
    const tried = git.merge(this.main, pull.head, false)
    pull.reviewed = tried !== null && (await isValid(tried)) ? await this.reviewOf(tried) : null
    isSame(await this.platform(), before)
  }

  async reviewOf(tried: string): Promise<Reviewed> {
    const [base, wanted] = [wantedBy(await documentOf(this.main)), wantedBy(await documentOf(tried))]
    const models = await modelsOf(tried)
    if (models === null) throw new Error('there are no models')
    const found = await baseOf(this.main, models, 'models', { cwd: git.directory, env: process.env })
    const made = await planImport(context, models.document, NO_SETTINGS, undefined, { base: found.base })
    const plan = JSON.parse(JSON.stringify(made.plan)) as Plan
    const own = differing(base, wanted)
    isSame(
      plan.changes.map(recordId).filter((id) => !own.includes(id)),
      [],
    )
    // Only what somebody has made on the platform meanwhile need not be made.
    const missing = own.filter((id) => !plan.changes.map(recordId).includes(id))
    const live = await this.platform()
    isSame(
      missing.filter((id) => live.get(id) !== wanted.get(id)),
      [],
    )
    return { plan, base, wanted }
  }

  async merge(pull: Pull | undefined, isSquashed: boolean): Promise<void> {
    if (pull?.reviewed == null) return
    const commit = git.merge(this.main, pull.head, isSquashed)
    if (commit === null || !(await isValid(commit))) return
    pull.merged = { commit, before: this.main }
    this.main = commit
  }

  async revert(pull: Pull | undefined): Promise<void> {
    if (pull?.merged == null) return
    const { commit, before } = pull.merged
    const touched = git.changed(before, commit)
    if (Object.entries(touched).some(([path, text]) => git.read(this.main, path) !== text)) return
    const back = Object.fromEntries(Object.keys(touched).map((path) => [path, git.read(before, path)]))
    if (Object.keys(back).length === 0) return
    const reverting: Pull = { head: git.commit(this.main, back), reviewed: null, merged: null, state: null }
    this.pulls.push(reverting)
    await this.plan(reverting)
  }

  async drift({ record, value }: Draw = { kind: 'symbol', record: 0, other: 0, value: 0 }): Promise<void> {
    const code = `c${record}`
    if (!(await this.platform()).has(`characteristics/${code}`)) return
    await updateRecord({ ...context, actorName: 'grace' }, 'characteristics', code, { symbol: `drift${value}` }, [])
  }

  /** The job of a merge, after the reviewers agreed. */
  async approve(pull: Pull | undefined): Promise<void> {
    if (pull?.merged == null || pull.reviewed === null) return
    const { reviewed, merged } = pull
    const before = await this.platform()
    const newest = wantedBy(await documentOf(this.main))
    const error = await this.applyJob(reviewed.plan, merged.commit)
    const after = await this.platform()
    const own = differing(reviewed.base, reviewed.wanted)
    pull.state = error === null ? 'green' : 'red'
    const made = differing(before, after)
    isSame(
      made.filter((id) => !own.includes(id) || after.get(id) !== reviewed.wanted.get(id)),
      [],
    )
    if (error === null) {
      const isRight = (id: string) => after.get(id) === reviewed.wanted.get(id) || after.get(id) === newest.get(id)
      // What was applied once is not made again.
      if (!this.#applied.has(pull))
        isSame(
          own.filter((id) => !isRight(id)),
          [],
        )
      this.#applied.add(pull)
      return
    }
    isSame(made, [])
    isSame(error instanceof HoldfastError, true)
    isSame((error as HoldfastError).code, 'STALE_PLAN')
    isSame((error as HoldfastError).details.length > 0, true)
    // Only what is not as the reviewers saw it is a reason to refuse.
    const merge = wantedBy(await documentOf(merged.commit))
    const restsOn = [...own, ...own.flatMap(neededBy), ...linksOf(own, before, reviewed.base, merge)]
    const moved = restsOn.filter(
      (id) => before.get(id) !== reviewed.base.get(id) || reviewed.wanted.get(id) !== merge.get(id),
    )
    isSame(moved.length > 0, true)
  }

  readonly #applied = new Set<Pull>()

  async applyJob(plan: Plan, commit: string): Promise<unknown> {
    const document = await documentOf(commit)
    const tip = await planImport(context, await documentOf(this.main), NO_SETTINGS)
    const { except, isNothing } = leftOver(plan, tip.plan)
    if (isNothing) return null
    const applyId = stableUuid('schedule', String(this.pulls.length > 0), commit, plan.digest)
    const sent = { ...plan, except }
    const apply = applyImport(context, { document, settings: NO_SETTINGS, plan: sent, origin: { applyId } })
    return apply.then(
      () => null,
      (error: unknown) => error,
    )
  }

  /** Somebody starts the workflow by hand: everything that differs is planned, reviewed and made. */
  async reconcile(): Promise<void> {
    const document = await documentOf(this.main)
    const { plan } = await planImport(context, document, NO_SETTINGS)
    if (allChanges(plan).length > 0) {
      isSame(plan.outcome, 'changes')
      await applyImport(context, { document, settings: NO_SETTINGS, plan, origin: {} })
    }
    isSame(differing(await this.platform(), wantedBy(document)), [])
  }

  /** In the end everything can be put right: a run by hand, and each job that was red is green. */
  async end(): Promise<void> {
    await this.reconcile()
    const wanted = wantedBy(await documentOf(this.main))
    for (const pull of this.pulls) {
      await this.approve(pull)
      if (pull.merged !== null) isSame(pull.state, 'green')
      isSame(differing(await this.platform(), wanted), [])
    }
  }
}

/** The links of records that go. */
function linksOf(own: readonly string[], ...states: readonly Wanted[]): string[] {
  const ids = states.flatMap((state) => [...state.keys()])
  return ids.filter((id) => neededBy(id).some((needed) => own.includes(needed)))
}

function pick<Item>(items: readonly Item[], nth: number): Item | undefined {
  return items[nth % items.length]
}

function withDraws(git: PlainGit, from: string, draws: readonly Draw[]): string {
  return draws.reduce((commit, draw) => {
    const files = edited(git, commit, draw)
    return Object.keys(files).length === 0 ? commit : git.commit(commit, files)
  }, from)
}

it(
  `${SCHEDULES} schedules: what is made is what was approved, and nothing stays red`,
  { timeout: 1_800_000 },
  async () => {
    let approvals = 0
    let refused = 0
    const property = fc.asyncProperty(fc.array(eventArbitrary, { minLength: 8, maxLength: 16 }), async (events) => {
      await emptyDomain(context)
      await applyAll(context, await documentOf(start))
      const schedule = new Schedule()
      for (const one of events) await schedule.take(one)
      approvals += schedule.pulls.filter(({ state }) => state !== null).length
      refused += schedule.pulls.filter(({ state }) => state === 'red').length
      await schedule.end()
    })
    await fc.assert(property, { numRuns: SCHEDULES, seed: 44, endOnFailure: false })
    expect(approvals).toBeGreaterThan(SCHEDULES)
    expect(refused).toBeGreaterThan(0)
  },
)
