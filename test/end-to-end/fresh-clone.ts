import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import packageJson from '../../package.json' with { type: 'json' }
import { isLong } from '../support/runs.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** No test edits these. As links they are one for all clones, and so is what Node has compiled of them. */
const LINKED = ['generated', 'schemas', 'src', 'test']

/** What a new user has after `git clone` and `npm ci`: the files that Git knows or would take, and the packages. */
export function freshClone(): string {
  const ignored = gitFiles('--others', '--ignored', '--exclude-standard', '--', ...LINKED)
  if (ignored.length > 0) throw new Error(`no clone has ${ignored.join(', ')}, which Git ignores`)
  const clone = realpathSync(mkdtempSync(join(tmpdir(), 'holdfast-clone-')))
  for (const path of filesOfTheProject()) {
    if (LINKED.includes(path.split('/')[0] ?? '')) continue
    mkdirSync(dirname(join(clone, path)), { recursive: true })
    cpSync(join(ROOT, path), join(clone, path))
  }
  for (const folder of [...LINKED, 'node_modules']) symlinkSync(join(ROOT, folder), join(clone, folder), 'dir')
  return clone
}

export function removeClone(clone: string): Promise<void> {
  return rm(clone, { recursive: true, force: true })
}

function filesOfTheProject(): string[] {
  const deleted = new Set(gitFiles('--deleted'))
  return gitFiles('--cached', '--others', '--exclude-standard').filter((path) => !deleted.has(path))
}

function gitFiles(...which: readonly string[]): string[] {
  return execFileSync('git', ['ls-files', '-z', ...which], { cwd: ROOT, encoding: 'utf8' })
    .split('\0')
    .slice(0, -1)
}

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /** Both, to look for something that must not be there. */
  readonly all: string
}

/** How Holdfast sees that npm has started it. */
const AS_BY_NPM = { npm_command: 'run', npm_lifecycle_event: 'holdfast' }

/** Scripts that npm itself has started before. */
const tried = new Set<string>()

/**
 * `npm run …` as it is typed, in an environment that has nothing of ours. In `npm test`, npm starts each script once; then
 * the test itself starts the program of the script, which takes half the time.
 */
export async function npmRun(clone: string, line: string, more: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const [script = '', ...words] = line.split(' ')
  const env = { ...plainEnvironment(), ...more }
  if (!isLong && tried.has(script)) {
    const [, ...program] = (packageJson.scripts as { readonly [name: string]: string })[script]?.split(' ') ?? []
    return ended(spawn(process.execPath, [...program, ...words], { cwd: clone, env: { ...env, ...AS_BY_NPM } }))
  }
  tried.add(script)
  const rest = words.length === 0 ? [] : ['--', ...words]
  return ended(spawn('npm', ['run', '--silent', script, ...rest], { cwd: clone, env }))
}

export async function ended(child: ReturnType<typeof spawn>): Promise<Ended> {
  const written = { stdout: '', stderr: '' }
  child.stdout?.on('data', (chunk: Buffer) => (written.stdout += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (written.stderr += chunk.toString()))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  return { code, ...written, all: written.stdout + written.stderr }
}

/** Node itself runs the tests; npm is looked up beside it first. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const { PATH = '', HOME } = process.env
  return { PATH: `${dirname(process.execPath)}${delimiter}${PATH}`, HOME }
}
