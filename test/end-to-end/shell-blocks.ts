import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

// The commands of a document are run one after the other in one shell, and what they write is compared with what it shows.

const run = promisify(execFile)

export const hasCurl = await run('curl', ['--version']).then(
  () => true,
  () => false,
)

export interface Shell {
  readonly cwd: string
  readonly variables: { readonly [name: string]: string | undefined }
}

const SEPARATOR = '\u001e'

/** What each command writes. */
export async function outputsOf(commands: readonly string[], { cwd, variables }: Shell): Promise<string[]> {
  const script = commands.map((command) => `${command}\nprintf '${SEPARATOR}'\n`).join('')
  const { PATH } = process.env
  const { stdout } = await run('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
    cwd,
    env: { PATH, ...variables },
  })
  return stdout.split(SEPARATOR).slice(0, -1)
}

/** What bash cannot parse. */
export async function syntaxErrors(commands: readonly string[]): Promise<string[]> {
  const outcomes = await Promise.allSettled(commands.map((command) => run('bash', ['-n', '-c', command])))
  return outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []))
}

type Members = { readonly [name: string]: unknown }

/** `…` stands for any text. */
export function likeShown(actual: unknown, shown: unknown): unknown {
  if (shown === '…' && typeof actual === 'string') return shown
  if (typeof actual !== 'object' || actual === null || typeof shown !== 'object' || shown === null) return actual
  if (Array.isArray(actual)) return actual.map((item, index) => likeShown(item, (shown as unknown[])[index]))
  const members = Object.entries(actual).map(([name, value]) => [name, likeShown(value, (shown as Members)[name])])
  return Object.fromEntries(members)
}
