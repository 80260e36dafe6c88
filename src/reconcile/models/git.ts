import { execFile } from 'node:child_process'
import { HoldfastError } from '../../lib/errors.ts'
import type { Environment } from '../../shell/io.ts'

/**
 * Options against repositories that make Git run programs. A directory of models may pretend to be a bare repository.
 */
const TRUSTS_NOTHING = ['-c', 'core.fsmonitor=false', '-c', 'safe.bareRepository=explicit']

const LONGEST = 120_000
const MOST_BYTES = 256 * 1024 * 1024

/** Runs Git with these words. The result is its output, and null if it fails. */
export type Git = (words: readonly string[], input?: string) => Promise<string | null>

interface GitRun {
  readonly isDone: boolean
  readonly output: string
  /** Git's messages on standard error. */
  readonly said: string
}

export function gitIn(cwd: string, env: Environment): Git {
  return async (words, input) => {
    const { isDone, output } = await runGit(words, { cwd, env, ...(input !== undefined && { input }) })
    return isDone ? output : null
  }
}

/** Runs Git and gives its output. A failure throws with what Git said. */
export type GitWork = (words: readonly string[], input?: string) => Promise<string>

const MOST_SAID = 2_000

export class GitFailure extends HoldfastError {
  readonly said: string

  constructor(words: readonly string[], said: string) {
    const shown = withoutPasswords(said).slice(0, MOST_SAID)
    super('CONFLICT', `git ${words[0]} failed: ${shown}`)
    this.said = shown
  }
}

/** For questions where a failure must not count as an empty answer. */
export function sureGit(cwd: string, env: Environment): GitWork {
  return async (words, input) => {
    const { isDone, output, said } = await runGit(words, { cwd, env, ...(input !== undefined && { input }) })
    if (isDone) return output
    throw new GitFailure(words, said)
  }
}

/** The address of a remote may have a token in it. */
function withoutPasswords(text: string): string {
  return text.replaceAll(/:\/\/[^/@\s]*@/g, '://')
}

/** The answer of Git as one line; undefined if Git, the repository or the object does not exist. */
export async function gitLine(cwd: string, env: Environment, words: readonly string[]): Promise<string | undefined> {
  return (await gitIn(cwd, env)(words))?.trim()
}

export interface GitPlace {
  readonly cwd: string
  readonly env: Environment
  readonly input?: string
  /** How bytes become characters: in Latin-1 each byte is one, so that none is lost. */
  readonly encoding?: 'utf8' | 'latin1'
}

export function runGit(
  words: readonly string[],
  { cwd, env, input = '', encoding = 'utf8' }: GitPlace,
): Promise<GitRun> {
  const options = {
    cwd,
    encoding,
    timeout: LONGEST,
    maxBuffer: MOST_BYTES,
    env: { ...env, GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' },
  }
  return new Promise((done) => {
    const child = execFile('git', [...TRUSTS_NOTHING, ...words], options, (error, output, said) => {
      const late = error?.killed === true ? `it took longer than ${LONGEST / 1_000} s` : ''
      done({ isDone: error === null, output, said: said.trim() || late || (error?.message ?? '') })
    })
    // Git may end before it has read everything.
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}
