import { Argument, Option, type Command } from 'commander'
import { DOCUMENT_TYPE_NAMES } from '../../records/record-type.ts'

// Options and arguments that several commands have.

export function onPlatform(command: Command): Command {
  return command
    .option('--url <url>', 'the platform (HOLDFAST_URL); without it: the embedded one')
    .option('--data-dir <dir>', 'data directory of the embedded platform (HOLDFAST_DATA_DIR; default ".holdfast")')
}

export function models(purpose = 'the directory of the models'): Option {
  return new Option('--models <dir>', purpose).default('models')
}

export function format(): Option {
  return new Option('--format <format>', 'format of the result').choices(['text', 'json', 'markdown']).default('text')
}

/** The command itself rejects a misspelled type, and suggests the type that was probably meant. */
export function recordTypeArgument(): Argument {
  const argument = new Argument('<type>', 'record type, such as characteristics')
  argument.argChoices = [...DOCUMENT_TYPE_NAMES]
  return argument
}

export function textOrJson(purpose = 'format of the result'): Option {
  return new Option('--format <format>', purpose).choices(['text', 'json']).default('text')
}

export function allow(): Option {
  const help = 'acknowledge a guard for this run: CODE:type/key or CODE:type; may be repeated'
  return repeated('--allow <guard>', help)
}

export function repeated(flags: string, help: string): Option {
  return new Option(flags, help).argParser(collect).default([], 'none')
}

function collect(value: string, earlier: readonly string[]): readonly string[] {
  return [...earlier, value]
}
