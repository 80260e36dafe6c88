import { CommanderError, type Command } from 'commander'
import packageJson from '../../package.json' with { type: 'json' }
import { exitCodeOf, type CommandResult } from '../shell/exit-code.ts'
import { interruptionText } from '../shell/interruption.ts'
import type { Context } from '../shell/io.ts'
import { askedHelp, helpOn } from './help/which-help.ts'
import { buildProgram } from './program.ts'

/** Runs one command line, without the name of the program, and returns its exit code. It never throws. */
export async function run(argv: readonly string[], context: Context): Promise<number> {
  try {
    return exitCodeOf(await perform(argv, context))
  } catch (error) {
    if (context.io.signal.aborted) {
      context.io.stderr.write(interruptionText(argv[0], error))
      return exitCodeOf({ kind: 'interrupted' })
    }
    if (isAnswered(error)) return exitCodeOf({ kind: 'done' })
    if (isGroup(error)) return exitCodeOf({ kind: 'failed' })
    const { reportError } = await import('./report-error.ts')
    reportError(error, context.io, wantsJson(argv))
    if (isMistyped(error) && !wantsJson(argv)) context.io.stderr.write(`  See: ${helpOn(argv, programFor(context))}\n`)
    return exitCodeOf({ kind: 'failed' })
  }
}

async function perform(argv: readonly string[], context: Context): Promise<CommandResult> {
  let result: CommandResult = { kind: 'failed' }
  const program = programFor(context, (reached) => (result = reached))
  // A call without a command is a mistake, and shows the help.
  if (argv.length === 0) context.io.stderr.write(program.helpInformation())
  else await program.parseAsync(argv[0] === 'help' ? askedHelp(argv, program) : argv, { from: 'user' })
  return result
}

function programFor(context: Context, finish: (result: CommandResult) => void = () => undefined): Command {
  return buildProgram(context, packageJson.version, finish)
}

/** Help and version are answers of commander, and no errors. */
function isAnswered(error: unknown): boolean {
  return error instanceof CommanderError && error.exitCode === 0
}

/** Tells the call of a group without one of its commands, such as `keys`, whose help stands on standard error by now. */
function isGroup(error: unknown): boolean {
  return error instanceof CommanderError && error.code === 'commander.help'
}

/** Tells a command line of which nothing near is known. Where something is, the error names it. */
function isMistyped(error: unknown): boolean {
  return error instanceof CommanderError && !error.message.includes('(Did you mean')
}

/** Looks for the format before the options are parsed, because parsing may be what fails. */
function wantsJson(argv: readonly string[]): boolean {
  return argv.some((word, index) => word === '--format=json' || (word === '--format' && argv[index + 1] === 'json'))
}
