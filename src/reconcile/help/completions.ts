import type { CommandWords, OptionWords, Values } from './words.ts'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

const WRITE: { readonly [shell in Shell]: (commands: readonly CommandWords[]) => string } = {
  bash: bashText,
  zsh: zshText,
  fish: fishText,
}

/** A shell script that completes the words after `holdfast`. It starts no process while the user types. */
export function completionsText(shell: Shell, commands: readonly CommandWords[]): string {
  return WRITE[shell](commands)
}

/** The words that may follow a group such as `keys`, or that may follow `holdfast` itself. */
function next(commands: readonly CommandWords[], words: readonly string[]): CommandWords[] {
  const typed = words.join(' ')
  return commands.filter((one) => one.words.length === words.length + 1 && one.words.slice(0, -1).join(' ') === typed)
}

function lastWord({ words }: CommandWords): string {
  return words.at(-1) ?? ''
}

function flags(options: readonly OptionWords[]): string[] {
  return options.flatMap(({ names }) => names)
}

function bashText(commands: readonly CommandWords[]): string {
  const groups = commands.filter(({ words }) => next(commands, words).length > 0).map(lastWord)
  return `# bash completion of holdfast
_holdfast() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} typed=
  if ((COMP_CWORD > 1)); then typed=\${COMP_WORDS[1]}; fi
  if ((COMP_CWORD > 2)) && [[ ' ${groups.join(' ')} ' == *" $typed "* ]]; then typed+=" \${COMP_WORDS[2]}"; fi
  case "$typed $prev" in
${bashCases(commands.flatMap(bashOptions))}
  esac
  case "$typed" in
    '') ${bashReply(null, next(commands, []).map(lastWord))} ;;
${bashCases(commands.map((command) => [command.words.join(' '), bashWords(command, commands)]))}
  esac
}
complete -F _holdfast holdfast
`
}

type Case = readonly [pattern: string, does: string]

function bashOptions({ words, options }: CommandWords): Case[] {
  const followed = options.filter(({ takesValue }) => takesValue)
  return followed.flatMap(({ names, values }) =>
    names.map((name): Case => [`${words.join(' ')} ${name}`, `${bashReply(values)}; return`]),
  )
}

function bashWords(command: CommandWords, commands: readonly CommandWords[]): string {
  const below = next(commands, command.words).map(lastWord)
  return bashReply(command.values[0] ?? null, [...below, ...flags(command.options)])
}

/** Writes one line for all cases with the same answer. */
function bashCases(cases: readonly Case[]): string {
  const alike = Map.groupBy(cases, ([, does]) => does)
  return [...alike]
    .map(([does, all]) => `    ${all.map(([pattern]) => `'${pattern}'`).join(' | ')}) ${does} ;;`)
    .join('\n')
}

function bashReply(values: Values, words: readonly string[] = []): string {
  if (values === null && words.length === 0) return 'COMPREPLY=()'
  const paths = values === 'file' ? ' -f' : values === 'directory' ? ' -d' : ''
  const all = typeof values === 'string' || values === null ? words : [...values, ...words]
  return `COMPREPLY=($(compgen${paths} -W '${all.join(' ')}' -- "$cur"))`
}

function zshText(commands: readonly CommandWords[]): string {
  const cases = commands.map((command) => {
    const below = next(commands, command.words)
    const described = below.map((one) => `'${lastWord(one)}[${zshDescription(one.does)}]'`)
    const does = below.length > 0 ? `_values command ${described.join(' ')}` : zshArguments(command)
    return `    '${command.words.join(' ')}') ${does} ;;`
  })
  const top = next(commands, []).map((one) => `    '${lastWord(one)}:${zshDescription(one.does)}'`)
  const groups = commands.filter(({ words }) => next(commands, words).length > 0).map(lastWord)
  return `#compdef holdfast
# zsh completion of holdfast
_holdfast() {
  local -a commands=(
${top.join('\n')}
  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local typed=$words[2]
  shift words
  ((CURRENT--))
  if ((CURRENT > 2)) && [[ " ${groups.join(' ')} " == *" $typed "* ]]; then
    typed+=" $words[2]"
    shift words
    ((CURRENT--))
  fi
  case $typed in
${cases.join('\n')}
  esac
}
if [[ $funcstack[1] == _holdfast ]]; then _holdfast "$@"; else compdef _holdfast holdfast; fi
`
}

function zshArguments({ options, values }: CommandWords): string {
  const flagged = options.flatMap(({ names, does, takesValue, values: choices }) =>
    names.map((name) => `'${name}[${zshDescription(does)}]${takesValue ? `:value:${zshValues(choices)}` : ''}'`),
  )
  const placed = values.map((one, index) => `'${index + 1}:value:${zshValues(one)}'`)
  return `_arguments ${[...flagged, ...placed].join(' ')}`
}

function zshValues(values: Values): string {
  if (values === 'file') return '_files'
  if (values === 'directory') return '_files -/'
  return values === null ? ' ' : `(${values.join(' ')})`
}

function zshDescription(text: string): string {
  return text.replaceAll("'", '’').replaceAll(/[[\]:\\]/g, (found) => `\\${found}`)
}

function fishText(commands: readonly CommandWords[]): string {
  const lines = commands.flatMap((command) => [...fishCommand(command, commands), ...fishOptions(command)])
  return `# fish completion of holdfast
complete -c holdfast -f
function __holdfast_typed
  set -l words (commandline -opc)
  test "$words[2..-1]" = "$argv"; or string match -q -- "$argv *" "$words[2..-1]"
end
${lines.join('\n')}
`
}

function fishCommand({ words, does, values }: CommandWords, commands: readonly CommandWords[]): string[] {
  const before = words.slice(0, -1).join(' ')
  const when =
    before === ''
      ? '__fish_use_subcommand'
      : `test (count (commandline -opc)) -eq ${words.length}; and __holdfast_typed ${before}`
  const named = `complete -c holdfast -n '${when}' -a ${words.at(-1)} -d ${fishQuoted(does)}`
  const [first = null] = values
  const after =
    first === null || next(commands, words).length > 0
      ? []
      : [`complete -c holdfast -n '__holdfast_typed ${words.join(' ')}' ${fishValues(first)}`]
  return [named, ...after]
}

function fishOptions({ words, options }: CommandWords): string[] {
  return options.map(({ names, does, takesValue, values }) => {
    const flagged = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`))
    const value = takesValue ? ` ${fishValues(values)}` : ''
    return `complete -c holdfast -n '__holdfast_typed ${words.join(' ')}' ${flagged.join(' ')}${value} -d ${fishQuoted(does)}`
  })
}

function fishValues(values: Values): string {
  if (values === 'file') return '-rF'
  if (values === 'directory') return `-xa '(__fish_complete_directories)'`
  return values === null ? '-x' : `-xa '${values.join(' ')}'`
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
