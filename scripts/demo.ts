// `npm run demo`: a platform of its own in .holdfast-demo/, with the sample model and two houses that send, until Ctrl-C.
// Server, apply and simulation are the same code as their commands, in one process that ends as a whole.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs, parseEnv } from 'node:util'
import type { Environment, Io, Output } from '../src/shell/io.ts'
import { run } from '../src/reconcile/run.ts'
import { makeDemoSecrets } from './demo-secrets.ts'
import { whereToLook } from './demo-site.ts'
import { ERRORS_ONLY } from '../src/server/logger.ts'
import { runningServer } from '../src/server/process/embedded.ts'
import { addConsole } from '../src/console/console.ts'
import { startServer, type RunningServer } from '../src/server/process/start-server.ts'

const ROOT = join(import.meta.dirname, '..')
const USUAL_PORT = 3000

/** So coarse is the past, which takes seconds to make, and so fine what then happens, which somebody may be looking at. */
const PAST = '5m'
const PRESENT = '30s'

const HELP = `Runs a platform with the sample model and two simulated houses, until Ctrl-C.

  --days <n>      how much of the past the houses have (default 7)
  --systems <n>   how many houses (default 2)
  --fresh         begin with an empty platform
  --allow <guard> passes a guard once: CODE:type/key or CODE:type, as the plan prints it; can be repeated
  --once          end when the past has been sent

PORT is where it listens (default ${USUAL_PORT}, or any that is free). Data is kept in .holdfast-demo/.
`

/** The part of a plan that its guards stop which says how to acknowledge them. */
const WHAT_GUARDS_NEED = /^If the guarded changes are meant\n(?: .*\n)+/m

const HOW_TO_GO_ON = `
Either write the first lines into models/holdfast.yaml and run the demo again, or run the last command.`

/** The command that a plan prints is that of an apply. */
const APPLY = /^ {4}\S.*?(?= --allow )/m

const PARTS = {
  runningServer,
  openEmbedded: () => Promise.reject(new Error('the demo has a server')),
  serve: () => Promise.reject(new Error('the demo has a server')),
  generatedFiles: () => Promise.reject(new Error('the demo generates nothing')),
}

const options = readOptions()

const interruption = new AbortController()
process.on('SIGINT', interrupt)
process.on('SIGTERM', interrupt)
process.exitCode = options.help ? help() : await demo()

/** The first Ctrl-C ends everything in order, the second one does not wait for that. */
function interrupt(): void {
  if (interruption.signal.aborted) process.exit(130)
  interruption.abort()
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        days: { type: 'string', default: '7' },
        systems: { type: 'string', default: '2' },
        fresh: { type: 'boolean', default: false },
        allow: { type: 'string', multiple: true, default: [] },
        once: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    return values
  } catch (error) {
    process.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n\n${HELP}`)
    process.exit(1)
  }
}

function help(): number {
  process.stdout.write(HELP)
  return 0
}

async function demo(): Promise<number> {
  const dataDir = join(ROOT, '.holdfast-demo')
  if (options.fresh) rmSync(dataDir, { recursive: true, force: true })
  mkdirSync(dataDir, { recursive: true })
  const env = await environment(dataDir)
  let server: RunningServer | undefined
  try {
    say(existsSync(join(dataDir, 'credentials.json')) ? 'Opening the platform …' : 'Making a platform …')
    server = await startServer({ env, cwd: ROOT, logger: ERRORS_ONLY, tell: () => undefined, addPages: addConsole })
    return await fill(server.url, env)
  } catch (error) {
    process.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  } finally {
    await server?.stop()
  }
}

async function fill(url: string, env: Environment): Promise<number> {
  const io = processIo(env)
  if (!(await applyModels(io))) return interruption.signal.aborted ? 130 : 1
  const { days, systems, once } = options
  const words = ['simulate', '--days', days, '--systems', systems]
  const code = await run([...words, '--interval', PAST, '--once'], { io, parts: PARTS })
  if (code !== 0) return code
  say(await whereToLook(url, { io, parts: PARTS }))
  if (once) return code
  return run([...words, '--interval', PRESENT], { io: { ...io, stdout: fromLine('Sending what', io) }, parts: PARTS })
}

/** Leaves out what was said of the past. */
function fromLine(first: string, { stdout }: Io): Output {
  let isReached = false
  const write = (text: string): void => {
    isReached ||= text.startsWith(first)
    if (isReached) stdout.write(text)
  }
  return { ...stdout, write }
}

/** Of the plan only its last words are shown, or what to do about its guards, unless it fails otherwise. */
async function applyModels(io: Io): Promise<boolean> {
  let shown = ''
  const stdout = { ...io.stdout, isTerminal: false, write: (text: string) => void (shown += text) }
  const allowed = options.allow.flatMap((guard) => ['--allow', guard])
  const words = ['apply', '--yes', ...allowed, '--models', join(ROOT, 'models')]
  const code = await run(words, { io: { ...io, stdout }, parts: PARTS })
  if (code === 0) say(/^(?:Applied|No changes).*$/m.exec(shown)?.[0] ?? shown)
  else say(WHAT_GUARDS_NEED.exec(shown)?.[0].replace(APPLY, '    npm run demo --').concat(HOW_TO_GO_ON) ?? shown)
  return code === 0
}

/** Of nothing that somebody has set up for a platform of their own; secrets of the models come from .env, made if need be. */
async function environment(dataDir: string): Promise<Environment> {
  const own = withoutPlatform(process.env)
  makeDemoSecrets(ROOT, own)
  const file = join(ROOT, '.env')
  const secrets = existsSync(file) ? withoutPlatform(parseEnv(readFileSync(file, 'utf8'))) : {}
  return { ...secrets, ...own, HOLDFAST_DATA_DIR: dataDir, PORT: process.env['PORT'] ?? (await freePort()) }
}

function withoutPlatform(env: Environment): { [name: string]: string | undefined } {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(HOLDFAST_|DATABASE_URL$|PORT$|HOST$)/.test(name)),
  )
}

/** The usual one, any other where that is taken. */
async function freePort(): Promise<string> {
  const isTaken = await new Promise<boolean>((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: USUAL_PORT })
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
  return isTaken ? '0' : String(USUAL_PORT)
}

function processIo(env: Environment): Io {
  const { signal } = interruption
  return {
    stdout: outputOn(process.stdout),
    stderr: outputOn(process.stderr),
    env,
    cwd: ROOT,
    signal,
    ask: null,
    fetch: (request) => fetch(request),
    now: () => Date.now(),
    wait: (milliseconds) => wait(milliseconds, undefined, { signal }),
  }
}

function outputOn(stream: NodeJS.WriteStream): Output {
  return {
    write: (text) => void stream.write(text),
    isTerminal: stream.isTTY === true,
    columns: stream.columns,
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
