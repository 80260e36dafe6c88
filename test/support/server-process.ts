import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { probed, refuseUncaught } from './uncaught.ts'

export interface ServerProcess {
  readonly url: string
  readonly pid: number
  /** Everything that it has written so far, log and messages. */
  written(): string
  /** Resolves when it next writes something. */
  said(): Promise<void>
  /** Sends SIGTERM and returns the exit code. It fails if the process had an unhandled fault. */
  stop(): Promise<number | null>
  /** Kills the process, as if the machine stopped: nothing is finished. */
  kill(): Promise<void>
}

export interface ServerPlace {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
}

const LISTENING = /listening on (\S+)/

/** The cache of compiled code, because hundreds of processes load the same files. */
export const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/holdfast/compiled', import.meta.url))

/**
 * Starts a Node process, and returns when it listens. If it ends instead, the error has its output. Ending it later
 * fails if the process had an unhandled fault.
 */
export async function startServerProcess(words: readonly string[], place: ServerPlace): Promise<ServerProcess> {
  const child = spawn(process.execPath, words, {
    ...place,
    env: probed({ NODE_COMPILE_CACHE: COMPILED, ...place.env }),
  })
  let written = ''
  let speak = Promise.withResolvers<void>()
  const hear = (chunk: Buffer): void => {
    written += chunk.toString()
    speak.resolve()
    speak = Promise.withResolvers()
  }
  child.stdout.on('data', hear)
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      hear(chunk)
      const [, found] = LISTENING.exec(written) ?? []
      if (found !== undefined) resolve(found)
    })
    child.once('close', () => reject(new Error(written)))
  })
  return {
    url,
    pid: child.pid ?? 0,
    written: () => written,
    said: () => speak.promise,
    async stop() {
      const code = await end(child, 'SIGTERM')
      refuseUncaught(written)
      return code
    },
    async kill() {
      await end(child, 'SIGKILL')
      refuseUncaught(written)
    },
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const closed = once(child, 'close')
    child.kill(signal)
    await closed
  }
  return child.exitCode
}
