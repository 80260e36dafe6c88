import type { Command } from 'commander'

/** The command line that shows the help of the command which these words begin with, or of all commands. */
export function helpOn(argv: readonly string[], program: Command): string {
  return ['holdfast', 'help', ...found(argv, program).words].join(' ')
}

/** The commands that there are where the first word stands that is none. */
export function commandsBeside(argv: readonly string[], program: Command): readonly string[] {
  const words = argv.filter((word) => word !== 'help')
  return found(words, program).command.commands.map((one) => one.name())
}

/** The command that the words begin with. */
function found(
  argv: readonly string[],
  program: Command,
): { readonly words: readonly string[]; readonly command: Command } {
  const words: string[] = []
  let command = program
  for (const word of argv) {
    const next = command.commands.find((one) => one.name() === word)
    if (next === undefined) break
    words.push(word)
    command = next
  }
  return { words, command }
}

/**
 * The words of `help keys rotate` as `keys rotate --help`. A word that is no command ends them, without the option, so that
 * the parser refuses it and names what is near; commander alone shows the help of the parent.
 */
export function askedHelp(argv: readonly string[], program: Command): readonly string[] {
  const words = argv.filter((word) => word !== 'help' && !word.startsWith('-'))
  const found: string[] = []
  let command = program
  for (const word of words) {
    if (command.commands.length === 0) break
    found.push(word)
    const part = command.commands.find((one) => one.name() === word)
    if (part === undefined) return found
    command = part
  }
  return [...found, '--help']
}
