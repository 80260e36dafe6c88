import type { Environment, Io, ServerParts } from '../../src/shell/io.ts'
import { run } from '../../src/reconcile/run.ts'
import type { FakePlatform } from './fake-platform.ts'

export interface SessionOptions {
  readonly cwd: string
  readonly platform?: FakePlatform
  readonly env?: Environment
  /** What the person at the terminal answers; absent: nobody is there. */
  readonly answer?: string
  readonly isTerminal?: boolean
  readonly columns?: number
  readonly signal?: AbortSignal
  readonly parts?: Partial<ServerParts>
  readonly fetch?: Io['fetch']
  /** Is told each text that the command writes. */
  readonly onWrite?: (text: string) => void
}

export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  readonly questions: readonly string[]
}

/** Runs one command line as a process would, against the embedded platform unless it says otherwise. */
export async function holdfast(line: string | readonly string[], options: SessionOptions): Promise<Outcome> {
  const written = { stdout: '', stderr: '' }
  const questions: string[] = []
  const output = (name: 'stdout' | 'stderr') => ({
    write(text: string) {
      written[name] += text
      options.onWrite?.(text)
    },
    isTerminal: options.isTerminal ?? false,
    ...(options.columns !== undefined && { columns: options.columns }),
  })
  const ask = async (question: string) => {
    questions.push(question)
    return options.answer ?? ''
  }
  const io: Io = {
    stdout: output('stdout'),
    stderr: output('stderr'),
    env: options.env ?? {},
    cwd: options.cwd,
    signal: options.signal ?? new AbortController().signal,
    ask: options.answer === undefined ? null : ask,
    fetch: options.fetch ?? options.platform?.fetch ?? noNetwork,
    now: () => Date.parse('2026-01-02T03:04:05Z'),
    wait: () => Promise.resolve(),
  }
  const argv = typeof line === 'string' ? line.split(' ').filter((word) => word !== '') : line
  const code = await run(argv, { io, parts: { ...embedded(options.platform), ...options.parts } })
  return { code, ...written, questions }
}

function embedded(platform: FakePlatform | undefined): ServerParts {
  return {
    openEmbedded: () =>
      Promise.resolve({ fetch: platform?.fetch ?? noNetwork, token: 'embedded-token', close: () => Promise.resolve() }),
    runningServer: () => Promise.resolve(null),
    serve: () => Promise.resolve(),
    generatedFiles: () => Promise.reject(new Error('this test generates nothing')),
  }
}

function noNetwork(): Promise<Response> {
  return Promise.reject(
    new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) }),
  )
}
