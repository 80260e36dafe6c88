import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { parseEnv } from 'node:util'
import { run } from '../../src/reconcile/run.ts'
import { addConsole } from '../../src/console/console.ts'
import { readCredentials } from '../../src/server/process/credentials.ts'
import { runningServer } from '../../src/server/process/embedded.ts'
import { ERRORS_ONLY } from '../../src/server/logger.ts'
import { startServer, type RunningServer } from '../../src/server/process/start-server.ts'
import type { Io } from '../../src/shell/io.ts'
import { startCalls, type Answered, type Call } from '../support/calls.ts'
import { putMigratedPglite } from '../support/migrated-pglite.ts'
import { makeDemoSecrets } from '../../scripts/demo-secrets.ts'
import { ownWords } from './documents.ts'
import { freshClone, removeClone } from './fresh-clone.ts'

// Where the commands of the documents are run: a clone, whose platform has a server in the process of the test. There
// `npm` and `npx` answer without a process of its own, and the addresses that documents name lead to the server.

/** As documents write them. */
const SHOWN_ADDRESSES = /^(?:https:\/\/acme\.example\.com|http:\/\/localhost:3000)(?=\/)/

export interface DocumentFolder {
  readonly cwd: string
  readonly url: string
  /** For every shell. */
  readonly variables: { readonly [name: string]: string }
  /** What the operator signs in with. */
  readonly credential: { readonly [name: string]: string }
  close(): Promise<void>
}

export async function openDocumentFolder(): Promise<DocumentFolder> {
  const cwd = cloneWithHistory()
  const dataDir = join(cwd, '.holdfast')
  putMigratedPglite(dataDir)
  // As `npm run plan` and `npm run apply` do.
  makeDemoSecrets(cwd, {})
  const env = { HOLDFAST_DATA_DIR: dataDir, PORT: '0' }
  const server = await startServer({ env, cwd, logger: ERRORS_ONLY, tell: () => undefined, addPages: addConsole })
  const npm = await startCalls((call) => answer(call, server))
  const home = join(cwd, '.shims')
  mkdirSync(home)
  for (const name of ['npm', 'npx']) writeFileSync(join(home, name), npm.shim(home), { mode: 0o755 })
  writeFileSync(join(home, '.curlrc'), `connect-to = "localhost:3000:${new URL(server.url).host}"\n`)
  const PATH = [home, dirname(process.execPath), process.env['PATH']].join(delimiter)
  return {
    cwd,
    url: server.url,
    variables: { PATH, HOME: home, CURL_HOME: home },
    credential: credentialIn(dataDir),
    close: async () => {
      npm.close()
      await server.stop()
      await removeClone(cwd)
    },
  }
}

/** Documents take changes back by Git. */
function cloneWithHistory(): string {
  const cwd = freshClone()
  const git = (...words: readonly string[]) => execFileSync('git', words, { cwd, stdio: 'ignore' })
  git('init', '--quiet')
  git('add', 'models')
  git('-c', 'user.name=test', '-c', 'user.email=test@example.com', 'commit', '--quiet', '--message', 'Models')
  return cwd
}

function credentialIn(dataDir: string): DocumentFolder['credential'] {
  const { clientId = '', clientSecret = '', username = '', password = '' } = readCredentials(dataDir) ?? {}
  return {
    HOLDFAST_CLIENT_ID: clientId,
    HOLDFAST_CLIENT_SECRET: clientSecret,
    HOLDFAST_USERNAME: username,
    HOLDFAST_PASSWORD: password,
  }
}

/** `npm ci` has been done. Of the scripts only those can be run that are commands of Holdfast. */
async function answer({ cwd, words, env }: Call, server: RunningServer): Promise<Answered | null> {
  if (words[0] === '--no' && words[1] === 'holdfast') return command(words.slice(2), { cwd, words, env }, server)
  const [verb = '', script = '', ...rest] = words.filter((word) => word !== '--silent' && word !== '--')
  if (verb === 'ci') return { code: 0, stdout: '', stderr: '' }
  const own = ownWords(script)
  if (verb === 'run' && own !== null)
    return command([...own, ...rest], { cwd, words, env: { ...allOf(join(cwd, '.env')), ...env } }, server)
  return { code: 1, stdout: '', stderr: `npm ${words.join(' ')} is not run here\n` }
}

/** The variables in a file. The scripts of a clone load all of them. */
function allOf(file: string): Call['env'] {
  return existsSync(file) ? (parseEnv(readFileSync(file, 'utf8')) as Call['env']) : {}
}

/** Answers each question with yes. */
async function command(argv: readonly string[], { cwd, env }: Call, server: RunningServer): Promise<Answered> {
  const written = { stdout: '', stderr: '' }
  const output = (name: 'stdout' | 'stderr') => ({
    write: (text: string) => void (written[name] += text),
    isTerminal: false,
  })
  const io: Io = {
    stdout: output('stdout'),
    stderr: output('stderr'),
    env,
    cwd,
    signal: new AbortController().signal,
    ask: () => Promise.resolve('yes'),
    fetch: (request) => fetch(new Request(request.url.replace(SHOWN_ADDRESSES, server.url), request)),
    now: () => Date.now(),
    wait: () => Promise.resolve(),
  }
  return { code: await run([...argv], { io, parts: { ...NO_PARTS, runningServer } }), ...written }
}

const refuse = () => Promise.reject(new Error('a command of a document uses the server that runs'))
const NO_PARTS = { openEmbedded: refuse, serve: refuse, generatedFiles: refuse }
