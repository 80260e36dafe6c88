import type { Command } from 'commander'

/** The command line that shows the help of the command which these words begin with, or of all commands. */
export function helpOn(argv: readonly string[], program: Command): string {
  const found: string[] = []
  let command: Command | undefined = program
  for (const word of argv) {
    command = command.commands.find((one) => one.name() === word)
    if (command === undefined) break
    found.push(word)
  }
  return ['holdfast', 'help', ...found].join(' ')
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
