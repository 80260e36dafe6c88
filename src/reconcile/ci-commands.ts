import type { Command } from 'commander'
import type { CommandResult } from '../shell/exit-code.ts'
import type { Context } from '../shell/io.ts'
import type { ReviewedPlanOptions } from './ci/reviewed-plan.ts'
import type { CiOptions } from './ci/run-plan.ts'
import type { StillHoldsOptions } from './ci/still-holds.ts'
import { models, onPlatform } from './help/options.ts'
import type { QueueReportOptions } from './pull-request/report-queue.ts'

type Finish = (result: CommandResult) => void

/** The commands of jobs, for every forge. Hidden commands are for the steps of action.yml. */
export function addCiCommands(program: Command, context: Context, finish: Finish): void {
  const ci = program
    .command('ci')
    .description('in a job of GitHub, GitLab, Gitea or Forgejo: plan, apply, or look for drift')
  onPlatform(ci.command('plan'))
    .description('write a comment with the plan on a pull request')
    .addOption(models())
    .option('--out <file>', 'write the plan as JSON into this file')
    .action(async (options: CiOptions) => {
      finish(await (await import('./ci/run-plan.ts')).ciPlan(options, context))
    })
  onPlatform(ci.command('apply'))
    .description('apply the reviewed plans of the pull requests in a push')
    .addOption(models())
    .action(async (options: CiOptions) => {
      finish(await (await import('./ci/run-apply.ts')).ciApply(options, context))
    })
  onPlatform(ci.command('drift'))
    .description('keep an issue open as long as the platform differs from the models')
    .addOption(models())
    .action(async (options: CiOptions) => {
      const { plan } = await import('./commands/plan.ts')
      finish(await plan({ ...options, format: 'text', driftIssue: true, allow: [] }, context))
    })
  addSteps(ci, context, finish)
}

function addSteps(ci: Command, context: Context, finish: Finish): void {
  const hidden = { hidden: true }
  onPlatform(ci.command('reviewed-plan', hidden))
    .addOption(models())
    .action(async (options: ReviewedPlanOptions) => {
      finish(await (await import('./ci/reviewed-plan.ts')).reviewedPlan(options, context))
    })
  ci.command('base', hidden).action(async () => {
    finish(await (await import('./ci/base.ts')).changeBase(context))
  })
  ci.command('published-export', hidden)
    .argument('<name>', 'of the artifact')
    .action(async (name: string) => {
      finish(await (await import('./ci/published-export.ts')).publishedExport(name, context))
    })
  onPlatform(ci.command('still-holds', hidden))
    .argument('<plan>', 'of now')
    .addOption(models())
    .option('--comment', 'tell the pull request')
    .option('--expect <digest>', 'of the reviewed plan')
    .option('--reviewed <plan>', 'the reviewed plan')
    .action(async (plan: string, options: StillHoldsOptions & QueueReportOptions) => {
      const { stillHolds } = await import('./ci/still-holds.ts')
      const work = () => stillHolds(plan, options, context)
      if (options.comment !== true) return finish(await work())
      const { reportQueue } = await import('./pull-request/report-queue.ts')
      finish(await reportQueue(plan, options, context, work))
    })
}
