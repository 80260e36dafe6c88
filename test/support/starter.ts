import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import { promisify } from 'node:util'
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'

// To start a program, Node copies the page tables of its own process (libuv forks). That takes 20 ms of CPU time in
// the large process of the tests, and a millisecond in a small one. The tests, and the code under test, start Git
// thousands of times. So a small process starts it, with the same arguments, directory and environment.

/** A program to run to its end. */
export interface Question {
  readonly id: number
  readonly program: string
  readonly words: readonly string[]
  readonly input: string
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly timeout: number
  readonly maxBuffer: number
}

export interface Answer {
  readonly id: number
  /** Null: a signal ended it. A text is the reason why it was not started. */
  readonly code: number | string | null
  readonly stdout: Uint8Array
  readonly stderr: Uint8Array
}

/** The options of `execFile` and `execFileSync` that the starter needs. */
interface Options {
  readonly cwd?: string | URL
  readonly env?: NodeJS.ProcessEnv
  readonly input?: string
  readonly encoding?: string
  readonly timeout?: number
  readonly maxBuffer?: number
}

const waiting = new Map<number, (answer: Answer) => void>()
const { port1: port, port2: portOfThread } = new MessageChannel()
/** Rings for each answer. */
const bell = new Int32Array(new SharedArrayBuffer(4))
let lastId = 0
let thread: Worker | undefined

function ask(question: Omit<Question, 'id'>, hear: (answer: Answer) => void): void {
  thread ??= startThread()
  const id = (lastId += 1)
  waiting.set(id, hear)
  port.postMessage({ ...question, id } satisfies Question)
}

function startThread(): Worker {
  const options = { workerData: { port: portOfThread, bell }, transferList: [portOfThread], execArgv: [] }
  const started = new Worker(new URL('./starter-thread.ts', import.meta.url), options)
  port.on('message', receive)
  // Neither of them keeps the process of the tests running.
  started.unref()
  port.unref()
  return started
}

function receive(answer: Answer): void {
  waiting.get(answer.id)?.(answer)
  waiting.delete(answer.id)
}

/** Waits for the answer and blocks the thread. */
function askNow(question: Omit<Question, 'id'>): Answer {
  let found: Answer | undefined
  ask(question, (answer) => (found = answer))
  for (;;) {
    const rung = Atomics.load(bell, 0)
    for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port))
      receive(next.message as Answer)
    if (found !== undefined) return found
    Atomics.wait(bell, 0, rung)
  }
}

function questionOf(program: string, words: readonly string[], options: Options): Omit<Question, 'id'> {
  const { cwd = process.cwd(), env = process.env, input = '', timeout = 0, maxBuffer = 2 ** 20 } = options
  return { program, words, input, cwd: String(cwd), env: { ...env }, timeout, maxBuffer }
}

function failureOf({ program, words }: Omit<Question, 'id'>, { code, stderr }: Answer): Error | null {
  if (code === 0) return null
  const message = `Command failed: ${[program, ...words].join(' ')}\n${Buffer.from(stderr).toString()}`
  return Object.assign(new Error(message), { code, status: code })
}

/** Programs that are started often. All others are started directly. */
const PROGRAMS = ['bash', 'git', 'tar']

const { execFile, execFileSync } = childProcess

type Callback = (error: Error | null, stdout: string, stderr: string) => void

function execFileElsewhere(...given: [string, string[], Options, Callback]): unknown {
  const [program, words, options, callback] = given
  if (!PROGRAMS.includes(program) || typeof callback !== 'function') return Reflect.apply(execFile, childProcess, given)
  let input = ''
  queueMicrotask(() => {
    const question = questionOf(program, words, { ...options, input })
    ask(question, (answer) => {
      callback(
        failureOf(question, answer),
        Buffer.from(answer.stdout).toString(),
        Buffer.from(answer.stderr).toString(),
      )
    })
  })
  return { stdin: { on: () => undefined, end: (text: string) => void (input = text) } }
}

function execFileSyncElsewhere(...given: [string, string[], Options?]): unknown {
  const [program, words, options = {}] = given
  if (!PROGRAMS.includes(program)) return Reflect.apply(execFileSync, childProcess, given)
  const question = questionOf(program, words, options)
  const answer = askNow(question)
  const failure = failureOf(question, answer)
  if (failure !== null) throw failure
  const stdout = Buffer.from(answer.stdout)
  return options.encoding === 'utf8' ? stdout.toString() : stdout
}

Object.assign(execFileElsewhere, { [promisify.custom]: Reflect.get(execFile, promisify.custom) as unknown })
Object.assign(childProcess, { execFile: execFileElsewhere, execFileSync: execFileSyncElsewhere })
syncBuiltinESMExports()
