import { CommanderError, type Command } from 'commander'
import packageJson from '../../package.json' with { type: 'json' }
import { exitCodeOf, type CommandResult } from '../shell/exit-code.ts'
import { interruptionText } from '../shell/interruption.ts'
import type { Context } from '../shell/io.ts'
import { askedHelp, commandsBeside, helpOn } from './help/which-help.ts'
import { buildProgram } from './program.ts'

/** Runs one command line, without the name of the program, and returns its exit code. It never throws. */
export async function run(argv: readonly string[], given: Context): Promise<number> {
  const context = argv.includes('--no-color') ? withoutColor(given) : given
  try {
    return exitCodeOf(await perform(argv, context))
  } catch (error) {
    if (context.io.signal.aborted) {
      context.io.stderr.write(interruptionText(argv[0], error))
      return exitCodeOf({ kind: 'interrupted' })
    }
    if (isAnswered(error)) return exitCodeOf({ kind: 'done' })
    if (isGroup(error)) return exitCodeOf({ kind: 'failed' })
    const report = await import('./report-error.ts').catch(() => null)
    // This happens if too many files are open, so that the file cannot be loaded.
    if (report === null) context.io.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`)
    report?.reportError(error, context.io, wantsJson(argv))
    if (isMistyped(error) && !wantsJson(argv)) context.io.stderr.write(`  ${adviceOn(error, argv, context)}\n`)
    return exitCodeOf({ kind: 'failed' })
  }
}

function withoutColor(context: Context): Context {
  const env = { ...context.io.env, NO_COLOR: '1', FORCE_COLOR: '' }
  return { ...context, io: { ...context.io, env } }
}

async function perform(argv: readonly string[], context: Context): Promise<CommandResult> {
  let result: CommandResult = { kind: 'failed' }
  const program = programFor(context, (reached) => (result = reached))
  // A call without a command is a mistake, and shows the help.
  if (argv.length === 0) context.io.stderr.write(program.helpInformation())
  else await program.parseAsync(asksForHelp(argv) ? askedHelp(argv, program) : argv, { from: 'user' })
  return result
}

function programFor(context: Context, finish: (result: CommandResult) => void = () => undefined): Command {
  return buildProgram(context, packageJson.version, finish)
}

/** Commander alone would show the help of the program if the command before `--help` is unknown. */
function asksForHelp(argv: readonly string[]): boolean {
  return argv[0] === 'help' || argv.includes('--help') || argv.includes('-h')
}

function adviceOn({ code }: CommanderError, argv: readonly string[], context: Context): string {
  const program = programFor(context)
  if (code === 'commander.unknownCommand') return `Commands: ${commandsBeside(argv, program).join(', ')}`
  return `See: ${helpOn(argv, program)}`
}

/** Commander reports help and version as errors, but they are regular answers. */
function isAnswered(error: unknown): boolean {
  return error instanceof CommanderError && error.exitCode === 0
}

/** Recognises the call of a group such as `keys` without a command. Its help is already on standard error. */
function isGroup(error: unknown): boolean {
  return error instanceof CommanderError && error.code === 'commander.help'
}

/** Recognises a mistyped command line for which commander has no suggestion. */
function isMistyped(error: unknown): error is CommanderError {
  return error instanceof CommanderError && !error.message.includes('(Did you mean')
}

/** Looks for the format before the options are parsed, because parsing may be what fails. */
function wantsJson(argv: readonly string[]): boolean {
  return argv.some((word, index) => word === '--format=json' || (word === '--format' && argv[index + 1] === 'json'))
}
