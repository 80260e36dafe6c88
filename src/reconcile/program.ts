import { Argument, Command, Option } from 'commander'
import type { AdoptOptions } from './commands/adopt.ts'
import type { ApplyOptions } from './commands/apply.ts'
import type { DistributeOptions } from './commands/distribute.ts'
import type { DoctorOptions } from './commands/doctor.ts'
import type { ExportOptions } from './commands/export.ts'
import type { HistoryOptions } from './commands/history.ts'
import type { InitOptions } from './commands/init.ts'
import type { AccessWhyOptions } from './commands/access-why.ts'
import type { InviteOptions } from './commands/invite.ts'
import type { RenameOptions } from './commands/rename.ts'
import type { RotateKeysOptions } from './commands/keys.ts'
import type { PlanOptions } from './commands/plan.ts'
import type { RollbackOptions } from './commands/rollback.ts'
import type { SimulateOptions } from './commands/simulate.ts'
import type { TrustOptions } from './commands/trust.ts'
import type { ServeOptions } from './commands/serve.ts'
import type { TypesOptions } from './commands/types.ts'
import type { ValidateOptions } from './commands/validate.ts'
import { addCiCommands } from './ci-commands.ts'
import { SHELLS, type Shell } from './help/completions.ts'
import { examplesText } from './help/examples.ts'
import { allow, format, models, onPlatform, recordTypeArgument, repeated, textOrJson } from './help/options.ts'
import type { CommandResult } from '../shell/exit-code.ts'
import type { Context } from '../shell/io.ts'

type Finish = (result: CommandResult) => void

/** The commands and their options. The code of a command is loaded when it runs, so that every start is fast. */
export function buildProgram(context: Context, version: string, finish: Finish): Command {
  const program = new Command('holdfast')
    .description('Keeps the data model of a device data platform in Git.')
    .version(version, '-v, --version', 'show the version')
    // run.ts reads this option before the options are parsed.
    .option('--no-color', 'write no colours, as with NO_COLOR=1; after every command')
    .helpCommand('help [command]', 'show the help of a command')
    .helpOption('-h, --help', 'show this help')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.io.stdout.write(text),
      // Shows the help of a group that was called without a command.
      writeErr: (text) => context.io.stderr.write(text),
      // Errors are reported in one place, as JSON if that was requested.
      outputError: () => {},
      getOutHelpWidth: () => context.io.stdout.columns ?? 80,
      getOutHasColors: () => false,
    })
  addModelCommands(program, context, finish)
  addPlatformCommands(program, context, finish)
  addAccessCommands(program, context, finish)
  addLocalCommands(program, context, finish)
  addCiCommands(program, context, finish)
  addExamples(program)
  return program
}

function addExamples(program: Command, before = ''): void {
  for (const command of program.commands) {
    command.addHelpText('after', () => examplesText(before + command.name()))
    addExamples(command, `${before}${command.name()} `)
  }
}

function addModelCommands(program: Command, context: Context, finish: Finish): void {
  program
    .command('validate')
    .description('check the models, without a platform')
    .addOption(models())
    .addOption(format())
    .action(async (options: ValidateOptions) => {
      finish(await (await import('./commands/validate.ts')).validate(options, context))
    })
  program
    .command('rename')
    .description('give a record another key in all files, and keep its data')
    .addArgument(recordTypeArgument())
    .argument('<from>', 'its present key')
    .argument('<to>', 'the new key')
    .addOption(models())
    .addOption(textOrJson())
    .action(async (type: string, from: string, to: string, options: RenameOptions) => {
      finish(await (await import('./commands/rename.ts')).rename({ type, from, to }, options, context))
    })
  onPlatform(program.command('plan'))
    .description('show what an apply would change')
    .addOption(models())
    .addOption(format())
    .addOption(new Option('--against <file>', 'plan offline, against an exported document').conflicts('url'))
    .option('--base <commit>', 'plan only the changes of the models against this commit, such as origin/main')
    .option('--out <file>', 'write the plan as JSON, for "apply FILE"')
    .option(
      '--detailed-exitcode',
      'exit with 0 if there are no changes, 2 for changes or secrets that were not compared, 3 for changes that an apply would refuse',
    )
    .option('--comment', 'in GitHub Actions: write or update a comment with the plan on the pull request')
    .option('--drift-issue', 'in GitHub Actions: keep an issue open as long as the plan has changes')
    .addOption(allow())
    .action(async (options: PlanOptions) => {
      finish(await (await import('./commands/plan.ts')).plan(options, context))
    })
  onPlatform(program.command('apply'))
    .description('carry out a plan')
    .argument(
      '[plan]',
      'file written by "plan --out", or - for standard input; without it, the command plans, shows and asks',
    )
    .addOption(models())
    .addOption(format())
    .option('--yes', 'do not ask')
    .option('--expect <digest>', 'apply only if the plan has this digest; "reviewed" is the digest in the pull request')
    .option(
      '--base <commit>',
      'apply only the changes of the models against this commit; refuse a plan without some of them',
    )
    .addOption(new Option('--at <commit>', 'take the models from this commit').hideHelp())
    .addOption(new Option('--tip <branch>', 'leave out changes that the newest models no longer have').hideHelp())
    .option('--comment', 'in GitHub Actions: tell the merged pull request if the apply fails')
    .addOption(allow())
    .action(async (plan: string | undefined, options: ApplyOptions) => {
      finish(await (await import('./commands/apply.ts')).apply(plan, options, context))
    })
}

function addPlatformCommands(program: Command, context: Context, finish: Finish): void {
  onPlatform(program.command('export'))
    .description('write the state of the platform as models')
    .addOption(models('directory of models whose references to secrets the export keeps'))
    .addOption(
      new Option('--format <format>', 'format of the document on standard output')
        .choices(['yaml', 'json'])
        .default('yaml'),
    )
    .option('--out <dir>', 'write one file per record type into this directory')
    .option('--managed', 'export only the records and fields that the models name, so that you can publish the result')
    .action(async (options: ExportOptions) => {
      finish(await (await import('./commands/export.ts')).exportModels(options, context))
    })
  onPlatform(program.command('adopt'))
    .description('write changes made on the platform into the files of the models')
    .argument('[record...]', 'type/key, or a type; without it, all changes made only on the platform')
    .addOption(models())
    .addOption(textOrJson())
    .addOption(
      repeated(
        '--field <name>',
        'adopt only this field; may be repeated; new and deleted records only if you name them',
      ),
    )
    .option('--dry-run', 'show the changes of the files, and write nothing')
    .option('--yes', 'do not ask')
    .option('--pull-request', 'open a pull request instead of changing files here')
    .action(async (records: readonly string[], options: AdoptOptions) => {
      finish(await (await import('./commands/adopt.ts')).adopt(records, options, context))
    })
  onPlatform(program.command('rollback'))
    .description('undo an apply')
    .argument('[apply]', 'uuid of the apply; without it, the latest one')
    .addOption(models('directory of the models; protect and acknowledge in its holdfast.yaml apply here, too'))
    .addOption(format())
    .option('--yes', 'do not ask')
    .option('--pull-request', 'open a pull request that reverts the commits, instead of changing the platform')
    .addOption(allow())
    .action(async (apply: string | undefined, options: RollbackOptions) => {
      finish(await (await import('./commands/rollback.ts')).rollback(apply, options, context))
    })
  onPlatform(program.command('history'))
    .description('list the latest applies, or show one')
    .argument('[apply]', 'uuid of the apply')
    .addOption(format())
    .option('--limit <n>', 'number of applies to list', '20')
    .action(async (apply: string | undefined, options: HistoryOptions) => {
      finish(await (await import('./commands/history.ts')).history(apply, options, context))
    })
}

function addAccessCommands(program: Command, context: Context, finish: Finish): void {
  onPlatform(program.command('invite'))
    .description('print a link by which a user sets a password')
    .argument('<email>', 'address of a user of the model')
    .addOption(textOrJson())
    .action(async (email: string, options: InviteOptions) => {
      finish(await (await import('./commands/invite.ts')).invite(email, options, context))
    })
  const access = program.command('access').description('who may do what')
  onPlatform(access.command('why'))
    .description('show which rule, grant and scope decide what somebody may do')
    .argument('<user>', 'an e-mail address, or the name of a machine user')
    .option(
      '--claims <file>',
      'explain a token of another provider; the file has its claims as JSON, or the token itself',
    )
    .addOption(textOrJson())
    .action(async (user: string, options: AccessWhyOptions) => {
      finish(await (await import('./commands/access-why.ts')).accessWhy(user, options, context))
    })
  const trust = program.command('trust').description('let the jobs of a repository plan and apply, without a secret')
  onPlatform(trust.command('github'))
    .description('make machine users and rules for a repository at GitHub, and print the remaining steps there')
    .argument('<repository>', 'OWNER/NAME')
    .addOption(models('directory of the models, which get the machine users'))
    .option('--environment <name>', 'environment whose reviewers approve an apply', 'production')
    .option('--owners <owners>', 'owners who must approve changes of holdfast.yaml, such as @acme/platform')
    .option('--job-workflow-ref <ref>', 'the only workflow that may apply, as OWNER/NAME/PATH@REF')
    .option('--runs-by-hand', 'let runs by hand apply after the reviewers approve')
    .option('--adopt', 'let the jobs sign in as machine users that exist already')
    .option(
      '--issuer <url>',
      'issuer of the tokens, for an Enterprise Server',
      'https://token.actions.githubusercontent.com',
    )
    .action(async (repository: string, options: TrustOptions) => {
      finish(await (await import('./commands/trust.ts')).trustGithub(repository, options, context))
    })
  const keys = program.command('keys').description('the keys that sign ID tokens')
  onPlatform(keys.command('rotate'))
    .description('sign with a new key from now on; it also happens automatically')
    .addOption(textOrJson())
    .action(async (options: RotateKeysOptions) => {
      finish(await (await import('./commands/keys.ts')).rotateKeys(options, context))
    })
}

function addLocalCommands(program: Command, context: Context, finish: Finish): void {
  program
    .command('types')
    .description('write the types of the models for clients; without --out, write the generated files of Holdfast')
    .option('--out <file>', 'write the types as TypeScript into this file')
    .option('--models <dir>', 'the directory of the models (default: "models")')
    .addOption(
      new Option('--watch', 'write the file again whenever a model below the directory changes').conflicts('check'),
    )
    .option('--check', 'write nothing, and fail if the file is out of date')
    .addOption(textOrJson())
    .action(async (options: TypesOptions) => {
      finish(await (await import('./commands/types.ts')).types(options, context))
    })
  program
    .command('serve')
    .description('run the platform')
    .option('--workers <n>', 'number of processes on one port; needs DATABASE_URL (default: WORKERS, or 1)')
    .addOption(textOrJson('format of errors; standard output has only the log, in JSON'))
    .action(async (options: ServeOptions) => {
      finish(await (await import('./commands/serve.ts')).serve(options, context))
    })
  const modes = ['check', 'status', 'rebalance', 'move']
  const mode = (flags: string, does: string): Option => {
    const option = new Option(flags, does)
    return option.conflicts(modes.filter((name) => name !== option.attributeName()))
  }
  program
    .command('distribute')
    .description('distribute the database of the servers (DATABASE_URL) over the workers of a Citus cluster')
    .addOption(mode('--check', 'only tell whether the cluster is ready, and how to prepare it'))
    .addOption(mode('--status', 'only show nodes, domains and running moves'))
    .addOption(mode('--move <domain-node...>', 'move a domain to another node, while it sends: --move DOMAIN NODE'))
    .addOption(mode('--rebalance', 'move domains until all workers store about the same amount'))
    .addOption(textOrJson())
    .action(async (options: DistributeOptions) => {
      finish(await (await import('./commands/distribute.ts')).distribute(options, context))
    })
  onPlatform(program.command('simulate'))
    .description('make houses of the sample model on a running platform, and send their data')
    .option('--systems <n>', 'number of houses', '1')
    .option('--days <n>', 'days in the past at which a house without data begins', '7')
    .option(
      '--interval <time>',
      'time between reports, such as 30s or 5m (default: the setting of the gateway, at first 60s)',
    )
    .option('--seed <n>', 'another number makes other houses and other weather', '1')
    .option('--once', 'end after the past data is sent')
    .addOption(textOrJson())
    .action(async (options: SimulateOptions) => {
      finish(await (await import('./commands/simulate.ts')).simulate(options, context))
    })
  onPlatform(program.command('doctor'))
    .description('check everything that commands need')
    .addOption(models())
    .addOption(textOrJson())
    .action(async (options: DoctorOptions) => {
      finish(await (await import('./commands/doctor.ts')).doctor(options, context))
    })
  onPlatform(program.command('init'))
    .description('write a working repository of models; existing files stay as they are')
    .argument('[dir]', 'directory of the repository', '.')
    .option('--from-platform', 'write the state of the platform instead of an example')
    .option('--gitlab', 'write for a project at GitLab instead of GitHub')
    .option('--gitea', 'write for a repository at Gitea or Forgejo instead of GitHub')
    .option('--action <repository@commit>', 'version of Holdfast that the workflows use, as owner/name@<40 digits>')
    .addOption(textOrJson())
    .action(async (directory: string, options: InitOptions) => {
      finish(await (await import('./commands/init.ts')).init(directory, options, context))
    })
  program
    .command('completions')
    .description('print the script that lets a shell complete commands, options and values')
    .addArgument(new Argument('<shell>', 'name of the shell').choices(SHELLS))
    .action(async (shell: Shell) => {
      finish(await (await import('./commands/completions.ts')).completions(shell, program, context))
    })
}
