import { execFile } from 'node:child_process'
import type { Environment } from '../../shell/io.ts'

/**
 * Options against repositories that make Git run programs. A directory of models may pretend to be a bare repository.
 */
const TRUSTS_NOTHING = ['-c', 'core.fsmonitor=false', '-c', 'safe.bareRepository=explicit']

const LONGEST = 120_000
const MOST_BYTES = 256 * 1024 * 1024

/** Runs Git with these words. The result is its output, and null where it fails. */
export type Git = (words: readonly string[], input?: string) => Promise<string | null>

export function gitIn(cwd: string, env: Environment): Git {
  const options = {
    cwd,
    timeout: LONGEST,
    maxBuffer: MOST_BYTES,
    env: { ...env, GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' },
  }
  return (words, input = '') =>
    new Promise((done) => {
      const child = execFile('git', [...TRUSTS_NOTHING, ...words], options, (error, stdout) => {
        done(error === null ? stdout : null)
      })
      // Git may end before it has read everything.
      child.stdin?.on('error', () => {})
      child.stdin?.end(input)
    })
}
