import type { Command, Option } from 'commander'

/** The words that may follow: one of a few, a path, or anything. */
export type Values = readonly string[] | 'file' | 'directory' | null

export interface OptionWords {
  readonly names: readonly string[]
  readonly does: string
  readonly takesValue: boolean
  readonly values: Values
}

export interface CommandWords {
  /** `plan`, or `keys rotate`. */
  readonly words: readonly string[]
  readonly does: string
  readonly options: readonly OptionWords[]
  /** The words that may follow, in order. */
  readonly values: readonly Values[]
}

/** All words that a user may type, from the declaration for help and parser. Groups come before their commands. */
export function wordsOf(program: Command, before: readonly string[] = []): CommandWords[] {
  return program
    .createHelp()
    .visibleCommands(program)
    .filter((command) => command.name() !== 'help' || before.length === 0)
    .flatMap((command) => {
      const words = [...before, command.name()]
      // "help" is followed by a command.
      const names = command.name() === 'help' ? program.commands.map((one) => one.name()) : undefined
      return [commandWords(command, words, names), ...wordsOf(command, words)]
    })
}

function commandWords(command: Command, words: readonly string[], names?: readonly string[]): CommandWords {
  const help = command.createHelp()
  return {
    words,
    does: command.description(),
    options: help.visibleOptions(command).map(optionWords),
    values: command.registeredArguments.map((one) => valuesOf(one.name(), names ?? one.argChoices)),
  }
}

function optionWords(option: Option): OptionWords {
  const { short, long, description, required, optional } = option
  const [, name = ''] = /<(\w+)>/.exec(option.flags) ?? []
  return {
    names: [short, long].flatMap((one) => one ?? []),
    does: description,
    takesValue: required || optional,
    values: required ? valuesOf(name, option.argChoices) : null,
  }
}

const PATHS: { readonly [name: string]: Values } = { dir: 'directory', file: 'file', plan: 'file' }

function valuesOf(name: string, choices: readonly string[] | undefined): Values {
  return choices ?? PATHS[name] ?? null
}
