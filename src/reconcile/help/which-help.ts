import type { Command } from 'commander'

/** The command line that shows the help of the command at the beginning of these words, or of all commands. */
export function helpOn(argv: readonly string[], program: Command): string {
  return ['holdfast', 'help', ...found(argv, program).words].join(' ')
}

/** The commands that are possible in place of the first unknown word. */
export function commandsBeside(argv: readonly string[], program: Command): readonly string[] {
  const words = argv.filter((word) => word !== 'help')
  return found(words, program).command.commands.map((one) => one.name())
}

/** The command at the beginning of the words. */
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
 * Rewrites `help keys rotate` as `keys rotate --help`. If a word is not a command, the words end there without the
 * option, so that the parser rejects it and suggests a similar one. Commander alone would show the help of the
 * parent.
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
