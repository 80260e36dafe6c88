import { hasErrors } from '../../src/lib/diagnostic.ts'
import { stableUuid } from '../../src/lib/uuid.ts'
import { NO_METADATA_RULES } from '../../src/documents/checks/metadata-rules.ts'
import { readDocument } from '../../src/documents/read/read-document.ts'
import type { Plan } from '../../src/plan/plan.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { applyImport } from '../../src/platform/imports/applying/apply-import.ts'
import { planImport } from '../../src/platform/imports/planning/plan-import.ts'
import { acknowledgeIn } from '../../src/reconcile/apply/acknowledge-in.ts'
import { leftOver } from '../../src/reconcile/apply/left-over.ts'
import { requireReviewedPart } from '../../src/reconcile/apply/own-changes.ts'
import { sentBase } from '../../src/reconcile/models/base-of.ts'
import { modelsIn, type Models } from '../../src/reconcile/models/models.ts'
import type { Acknowledgement, Settings } from '../../src/records/settings.ts'
import { acknowledging } from '../support/domain.ts'
import type { PlainGit } from './schedule-git.ts'

// What the jobs of a pull request do, without their commands: plan, apply, and plan everything by hand.

export interface Jobs {
  models(commit: string): Models
  isValid(commit: string): boolean
  /** The plan of what a commit changes of another one; null if its job would fail. */
  plan(commit: string, base: string): Promise<Plan | null>
  /** Null: it has worked. */
  apply(reviewed: Plan, merge: { readonly commit: string; readonly before: string }, tip: string): Promise<unknown>
  /** A run by hand, after everything that is guarded was acknowledged. */
  reconcile(commit: string): Promise<Plan>
}

export function jobsOf(git: PlainGit, context: DomainContext): Jobs {
  const loaded = new Map<string, Models>()
  const models = (commit: string) => {
    const found = loaded.get(commit) ?? readModels(git, commit)
    loaded.set(commit, found)
    return found
  }
  const planOf = async (commit: string, base?: string) => {
    const { document, settings } = models(commit)
    const scope = base === undefined ? {} : { base: sentBase(models(commit), models(base)) }
    return (await planImport(context, document, settings, undefined, scope)).plan
  }
  return {
    models,
    isValid(commit) {
      const { document, settings, diagnostics } = models(commit)
      const found = readDocument(document, NO_METADATA_RULES, settings.access).diagnostics
      return !hasErrors(diagnostics) && !hasErrors(found)
    },
    async plan(commit, base) {
      const first = await planOf(commit, base)
      const plan = acknowledgeIn(first, accessOf(first))
      // As it comes from a file.
      return plan.outcome === 'blocked' || hasErrors(plan.diagnostics)
        ? null
        : (JSON.parse(JSON.stringify(plan)) as Plan)
    },
    apply: async (reviewed, { commit, before }, tip) => {
      try {
        const merged = await planOf(commit, before)
        const newest = await planOf(tip)
        const { except, isNothing } = leftOver(reviewed, newest)
        if (isNothing) return null
        requireReviewedPart(reviewed, merged, newest)
        const { document } = models(commit)
        const settings = withAccess(models(commit).settings, reviewed)
        const applyId = stableUuid('schedule', commit, reviewed.digest)
        await applyImport(context, { document, settings, plan: { ...reviewed, except }, origin: { applyId } })
        return null
      } catch (error) {
        return error
      }
    },
    async reconcile(commit) {
      const plan = await planOf(commit)
      const { document, settings } = models(commit)
      const decided = acknowledging(plan, { ...settings, protect: [] })
      if (plan.changes.length + plan.access.changes.length > 0)
        await applyImport(context, { document, settings: decided, plan, origin: {} })
      return plan
    },
  }
}

/** The reviewers agree to who gains what. In a repository, the author pastes the line that the plan prints. */
function accessOf({ access: { diff } }: Plan): Acknowledgement[] {
  return diff?.digest === undefined ? [] : [{ code: 'widens-access', type: 'access', digest: diff.digest }]
}

function withAccess(settings: Settings, reviewed: Plan): Settings {
  return { ...settings, acknowledge: [...settings.acknowledge, ...accessOf(reviewed)] }
}

function readModels(git: PlainGit, commit: string): Models {
  const files = [...git.files(commit)].map(([path, text]) => ({ path, bytes: Buffer.from(text) }))
  const io = { cwd: git.directory, env: process.env }
  return modelsIn({ directory: git.directory, files, real: [], diagnostics: [] }, io)
}
