import type { Environment, Io, Output } from './io.ts'

/** Tells whether to write colours. FORCE_COLOR precedes, as in Node, and empty counts as absent (no-color.org). */
export function usesColor(env: Environment, { isTerminal }: Pick<Output, 'isTerminal'>): boolean {
  const force = env['FORCE_COLOR']
  if (force !== undefined && force !== '') return force !== '0' && force !== 'false'
  if (env['NO_COLOR']) return false
  return isTerminal && env['TERM'] !== 'dumb'
}

/** Tells whether the command runs in a CI job, which deletes its files at the end. All providers set `CI`. */
export function isInJob(env: Environment): boolean {
  return env['GITHUB_ACTIONS'] === 'true' || (env['CI'] ?? '') !== ''
}

export function textStyle({ stdout, env }: Pick<Io, 'stdout' | 'env'>): { color: boolean; width: number } {
  return { color: usesColor(env, stdout), width: stdout.columns ?? 80 }
}

/** The command line to show: `npm run plan -- --out x` if started by npm, and otherwise `holdfast plan --out x`. */
export function commandLine(env: Environment, command: string, ...words: readonly string[]): string {
  const rest = words.map(quoteWord).join(' ')
  const isScript = env['npm_lifecycle_event'] !== undefined && /^run(-script)?$/.test(env['npm_command'] ?? '')
  if (!isScript) return rest === '' ? `holdfast ${command}` : `holdfast ${command} ${rest}`
  return rest === '' ? `npm run ${command}` : `npm run ${command} -- ${rest}`
}

/** Quotes one word of a command line, if it has special characters. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
