import { execFile } from 'node:child_process'
import { HoldfastError } from '../../lib/errors.ts'
import type { Environment } from '../../shell/io.ts'

/**
 * Options that stop a repository from making Git run programs. A directory of models may pretend to be a bare
 * repository.
 */
const TRUSTS_NOTHING = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'log.showSignature=false',
  'safe.bareRepository=explicit',
  // No command here needs the files of submodules, and a temporary worktree has none of them.
  'submodule.recurse=false',
].flatMap((setting) => ['-c', setting])

// Without it, Windows would start a git.exe of the directory that Git runs in.
process.env['NoDefaultCurrentDirectoryInExePath'] = '1'

const LONGEST = 120_000
const MOST_BYTES = 256 * 1024 * 1024

/** Runs Git with these arguments. Returns its output; null if it fails. */
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

/** Runs Git and returns its output. A failure throws an error with Git's messages. */
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

/** Makes a Git runner for questions in which a failure must not count as an empty answer. */
export function sureGit(cwd: string, env: Environment): GitWork {
  return async (words, input) => {
    const { isDone, output, said } = await runGit(words, { cwd, env, ...(input !== undefined && { input }) })
    if (isDone) return output
    throw new GitFailure(words, said)
  }
}

/** Removes the tokens that addresses of remotes may contain. */
export function withoutPasswords(text: string): string {
  return text.replaceAll(/:\/\/[^/\s]*@/g, '://')
}

/** The answer of Git as one line; undefined if Git, the repository or the object does not exist. */
export async function gitLine(cwd: string, env: Environment, words: readonly string[]): Promise<string | undefined> {
  return (await gitIn(cwd, env)(words))?.trim()
}

export interface GitPlace {
  readonly cwd: string
  readonly env: Environment
  readonly input?: string
  /** How to decode bytes. In Latin-1 each byte is one character, so no byte is lost. */
  readonly encoding?: 'utf8' | 'latin1'
}

/** Commands that read or write files of a worktree. Their filters, such as those of Git LFS, are programs. */
const FILTERING: ReadonlySet<string | undefined> = new Set(['status', 'diff-index', 'checkout-index'])

/** Runs Git. Where files are read, filters of the person's own configuration run, and those of the repository do not. */
export async function runGit(words: readonly string[], place: GitPlace): Promise<GitRun> {
  if (!FILTERING.has(words[0])) return run(words, place)
  const listing = ['config', '--show-scope', '--null', '--name-only', '--get-regexp', String.raw`^filter\.`]
  const listed = (await run(listing, { cwd: place.cwd, env: place.env })).output.split('\0')
  const keys = new Set(listed.filter((_, at) => ['local', 'worktree'].includes(listed[at - 1] ?? '')))
  const before = Number(place.env['GIT_CONFIG_COUNT'] ?? 0)
  const emptied = [...keys].map((key, at) => [`GIT_CONFIG_KEY_${before + at}`, key])
  const values = emptied.map((_, at) => [`GIT_CONFIG_VALUE_${before + at}`, ''])
  const set = Object.fromEntries([...emptied, ...values, ['GIT_CONFIG_COUNT', String(before + keys.size)]])
  return run(words, { ...place, env: { ...place.env, ...set } })
}

/** In hooks, Git sets GIT_DIR alone. The directory that Git is asked in would then count as the whole work tree. */
function placed(env: Environment): Environment {
  return env['GIT_WORK_TREE'] === undefined ? { ...env, GIT_DIR: undefined } : env
}

function run(words: readonly string[], { cwd, env, input = '', encoding = 'utf8' }: GitPlace): Promise<GitRun> {
  const options = {
    cwd,
    encoding,
    timeout: LONGEST,
    maxBuffer: MOST_BYTES,
    env: { ...placed(env), GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' },
  }
  return new Promise((done) => {
    const child = execFile('git', [...TRUSTS_NOTHING, ...words], options, (error, output, said) => {
      const late = error?.killed === true ? `it took longer than ${LONGEST / 1_000} s` : ''
      done({ isDone: error === null, output, said: said.trim() || late || (error?.message ?? '') })
    })
    // Git may end before it has read all input.
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}
