import { buildProgram } from '../../src/reconcile/program.ts'
import type { Context } from '../../src/shell/io.ts'
import { ownWords, SCRIPTS } from './documents.ts'
import { blocks, codes, proseOf } from './markdown.ts'

// The commands that a page shows, and those of their words that do not exist.

/** `npm run plan -- --out x` wherever it stands, without what follows in the sentence. */
export function npmCommands(markdown: string): string[] {
  return commandsLike(markdown, /\bnpm (?:run [^#&`>|]*|start|test|cit|ci)/g)
}

/** The words of `npx --no holdfast plan --out x`. */
export function ownCommands(markdown: string): string[][] {
  return commandsLike(markdown, /\bnpx --no holdfast [^#&`>|]*/g).map((command) => command.split(/\s+/).slice(3))
}

function commandsLike(markdown: string, pattern: RegExp): string[] {
  const lines = [...codes([proseOf(markdown)]), ...blocks(markdown, 'sh').flatMap((block) => block.split('\n'))]
  return lines.flatMap((line) => [...line.matchAll(pattern)].map(([found]) => found.trim()))
}

const PROGRAM = buildProgram({} as Context, '', () => {})

/** Of a command and the commands below it. */
function optionsOf(command: string): string[] | null {
  const found = PROGRAM.commands.find((one) => one.name() === command)
  if (found === undefined) return null
  return ['--help', ...[found, ...found.commands].flatMap(({ options }) => options.flatMap(({ long }) => long ?? []))]
}

/** The script of a command, the command of Holdfast, and those of its options, that do not exist. */
export function unknownWords(command: string): string[] {
  const [, , script = '', ...rest] = command.replace(' --silent', '').split(/\s+/)
  if (SCRIPTS[script] === undefined) return [command]
  const own = ownWords(script)
  return own === null ? [] : unknownOptions([...own, ...rest].filter((word) => word !== '--'))
}

export function unknownOptions([name, ...words]: readonly string[]): string[] {
  if (name === undefined || /^(?:demo|help|…)$/.test(name)) return []
  const known = optionsOf(name)
  if (known === null) return [name]
  const options = words.filter((word) => /^--./.test(word)).map((word) => word.replace(/[=,.].*$/, ''))
  return options.filter((option) => !known.includes(option)).map((option) => `${name} ${option}`)
}
