import { existsSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { HoldfastError } from './lib/errors.ts'
import type { Context, Environment, Io, Output, ServerParts } from './shell/io.ts'
import { run } from './reconcile/run.ts'
import { sendOverHttp } from './shell/send-over-http.ts'

const NO_SOURCE = '"types" works in the source of Holdfast, not in the package'

const interruption = new AbortController()
const io = processIo()
process.on('SIGINT', interrupt)
let isOutputLost = false
const exitCode = await run(process.argv.slice(2), { io, parts: serverParts() } satisfies Context)
process.exitCode = isOutputLost && exitCode === 0 ? 1 : exitCode
process.off('SIGINT', interrupt)

/** The first Ctrl-C lets the command close what it has opened. The second one ends the process at once. */
function interrupt(): void {
  if (interruption.signal.aborted) process.exit(130)
  interruption.abort()
}

function processIo(): Io {
  const { signal } = interruption
  return {
    stdout: outputOn(process.stdout),
    stderr: outputOn(process.stderr),
    env: process.env,
    cwd: process.cwd(),
    signal,
    ask: process.stdin.isTTY && process.stderr.isTTY ? askOnTerminal : null,
    fetch: (request) => fetch(request),
    send: sendOverHttp,
    now: () => Date.now(),
    wait: (milliseconds) => wait(milliseconds, undefined, { signal }),
  }
}

/**
 * Writes output until the stream fails, and drops the rest while the command continues. If the reader stops reading, as
 * `head` does, this is no failure. If the disk is full, it is one.
 */
function outputOn(stream: NodeJS.WriteStream): Output {
  let isOpen = true
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (isOpen && error.code !== 'EPIPE' && stream === process.stdout) {
      process.exitCode = 1
      isOutputLost = true
      process.stderr.write(`error: standard output cannot be written: ${error.message}\n`)
    }
    isOpen = false
  })
  return {
    write(text) {
      if (isOpen) stream.write(text)
    },
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.columns
    },
  }
}

async function askOnTerminal(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  // In this mode readline handles Ctrl-C itself, and a question stays unanswered when the input ends.
  terminal.on('SIGINT', interrupt)
  const ended = new Promise<string>((resolve) => terminal.once('close', () => resolve('')))
  try {
    return await Promise.race([terminal.question(question, { signal: interruption.signal }), ended])
  } finally {
    terminal.close()
  }
}

function serverParts(): ServerParts {
  return {
    async openEmbedded(options: { dataDir: string; env: Environment }) {
      const { openEmbedded } = await import('./server/process/embedded.ts')
      return openEmbedded(options)
    },
    async runningServer(dataDir) {
      const { runningServer } = await import('./server/process/embedded.ts')
      return runningServer(dataDir)
    },
    async serve(env) {
      // Without it, graphql checks for each value of an answer whether several copies of graphql are loaded.
      process.env['NODE_ENV'] ??= 'production'
      const { serve } = await import('./serve.ts')
      await serve(env)
    },
    async generatedFiles() {
      if (!existsSync(new URL('./codegen/generate.ts', import.meta.url)))
        throw new HoldfastError('BAD_USER_INPUT', NO_SOURCE)
      const { generatedFiles } = await import('./codegen/generate.ts')
      return generatedFiles(new URL('../', import.meta.url))
    },
  }
}
