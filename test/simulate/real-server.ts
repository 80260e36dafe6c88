import type { Context, Io } from '../../src/shell/io.ts'
import { run } from '../../src/reconcile/run.ts'
import { readCredentials } from '../../src/server/process/credentials.ts'
import { ERRORS_ONLY } from '../../src/server/logger.ts'
import { runningServer } from '../../src/server/process/embedded.ts'
import { startServer, type RunningServer } from '../../src/server/process/start-server.ts'
import { placeOnAny } from '../support/data-place.ts'
import { operatorToken } from '../support/password-token.ts'

// A server as `holdfast serve` runs it, on a data directory of its own, and commands beside it whose clock is a test's.

export interface RealServer {
  readonly dataDir: string
  readonly url: string
  /** As the operator; fails where there are errors. */
  graphql<Data>(query: string, variables?: object): Promise<Data>
  close(): Promise<void>
}

export async function openRealServer(): Promise<RealServer> {
  const place = await placeOnAny()
  const dataDir = place.directory
  const server: RunningServer = await startServer({
    env: { ...place.env, PORT: '0' },
    cwd: dataDir,
    logger: ERRORS_ONLY,
    tell: () => undefined,
  })
  tellServer(dataDir, server.url)
  return {
    dataDir,
    url: server.url,
    graphql: graphqlOn(server.url, dataDir),
    close: async () => {
      await server.stop()
      await place.remove()
    },
  }
}

/** Where servers are on PostgreSQL, which commands cannot know from their data directory. */
const urls = new Map<string, string>()

/** Also of a server that the test starts itself. */
export function tellServer(dataDir: string, url: string): void {
  urls.set(dataDir, url)
}

async function serverOf(dataDir: string): ReturnType<typeof runningServer> {
  const [url, credentials] = [urls.get(dataDir), readCredentials(dataDir)]
  return url === undefined || credentials === null ? runningServer(dataDir) : { url, credentials }
}

export function graphqlOn(url: string, dataDir: string): RealServer['graphql'] {
  let token: Promise<string> | undefined
  return async <Data>(query: string, variables: object = {}) => {
    const headers = { authorization: `Bearer ${await (token ??= operatorToken(url, dataDir))}` }
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    })
    const { data, errors } = (await response.json()) as { data: Data; errors?: unknown }
    if (errors !== undefined) throw new Error(JSON.stringify(errors))
    return data
  }
}

/** A clock that stands still but for the waits of the command that it is given to. */
export class TestClock {
  now: number
  /** What happens at a time, in the order of times. */
  readonly #plan: { readonly at: number; readonly what: () => unknown }[] = []
  readonly waits: number[] = []

  constructor(now: number) {
    this.now = now
  }

  at(time: number, what: () => unknown): this {
    this.#plan.push({ at: time, what })
    return this
  }

  async wait(milliseconds: number): Promise<void> {
    this.waits.push(milliseconds)
    this.now += milliseconds
    const due = this.#plan.filter(({ at }) => at <= this.now)
    for (const one of due) {
      this.#plan.splice(this.#plan.indexOf(one), 1)
      await one.what()
    }
    // What others do at the same time goes on.
    await new Promise(setImmediate)
  }
}

export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

interface CommandOptions {
  readonly dataDir: string
  readonly clock?: TestClock
  readonly signal?: AbortSignal
  readonly fetch?: Io['fetch']
  readonly env?: Io['env']
  /** Written as it comes. */
  readonly stdout?: (text: string) => void
}

/** A command line beside a server. */
export async function command(line: string, options: CommandOptions): Promise<Outcome> {
  const { dataDir, clock = new TestClock(Date.now()), signal = new AbortController().signal } = options
  const written = { stdout: '', stderr: '' }
  const output = (name: 'stdout' | 'stderr') => ({
    isTerminal: false,
    write(text: string) {
      written[name] += text
      if (name === 'stdout') options.stdout?.(text)
    },
  })
  const io: Io = {
    stdout: output('stdout'),
    stderr: output('stderr'),
    env: options.env ?? { HOLDFAST_DATA_DIR: dataDir },
    cwd: dataDir,
    signal,
    ask: null,
    fetch: options.fetch ?? ((request) => fetch(request)),
    now: () => clock.now,
    wait: (milliseconds) => clock.wait(milliseconds),
  }
  const context: Context = {
    io,
    parts: { runningServer: serverOf, openEmbedded: unused, serve: unused, generatedFiles: unused },
  }
  const code = await run(line.split(' '), context)
  return { code, ...written }
}

function unused(): Promise<never> {
  return Promise.reject(new Error('not in this test'))
}
