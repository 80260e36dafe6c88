import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { ApplyRequest } from '../../src/platform/imports/applying/apply-import.ts'
import { COMPILED } from '../support/server-process.ts'

const PROGRAM = new URL('./apply-and-die.ts', import.meta.url)

export interface Death {
  readonly killer: 'itself' | 'its parent'
  /** The number of the statement before which it dies, or when the apply is committed and not yet answered. */
  readonly boundary: number | 'answer'
}

/** Makes an apply in another process that does not live to answer; gives the signal that ended it. */
export async function applyAndDie(place: string, request: ApplyRequest, { killer, boundary }: Death): Promise<unknown> {
  const child = fork(PROGRAM, [place, killer, String(boundary)], {
    execArgv: [],
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILED },
  })
  const ended = once(child, 'exit')
  child.on('message', (message) => {
    if (message === 'ready') child.send({ ...request })
    else child.kill('SIGKILL')
  })
  const [, signal] = (await ended) as unknown[]
  return signal
}
