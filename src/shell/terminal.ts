import type { Environment, Io, Output } from './io.ts'

/**
 * Whether to write colours. FORCE_COLOR is the stronger one, as in Node itself; an empty variable counts as absent
 * (no-color.org).
 */
export function usesColor(env: Environment, { isTerminal }: Pick<Output, 'isTerminal'>): boolean {
  const force = env['FORCE_COLOR']
  if (force !== undefined && force !== '') return force !== '0' && force !== 'false'
  if (env['NO_COLOR']) return false
  return isTerminal && env['TERM'] !== 'dumb'
}

export function textStyle({ stdout, env }: Pick<Io, 'stdout' | 'env'>): { color: boolean; width: number } {
  return { color: usesColor(env, stdout), width: stdout.columns ?? 80 }
}

/** `npm run plan -- --out x` to somebody who started the command by npm, `holdfast plan --out x` to everybody else. */
export function commandLine(env: Environment, command: string, ...words: readonly string[]): string {
  const rest = words.map(quoteWord).join(' ')
  const isScript = env['npm_lifecycle_event'] !== undefined && /^run(-script)?$/.test(env['npm_command'] ?? '')
  if (!isScript) return rest === '' ? `holdfast ${command}` : `holdfast ${command} ${rest}`
  return rest === '' ? `npm run ${command}` : `npm run ${command} -- ${rest}`
}

function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
