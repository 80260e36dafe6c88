import { existsSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { holdfast } from '../reconcile/run-command.ts'
import { startCalls, type Answered, type Call, type Calls } from '../support/calls.ts'
import { isLong } from '../support/runs.ts'

// The commands that steps call. Each way to call one is tried as a process once; from then on the process of the test
// itself runs it, which takes a tenth of the time. In `npm run test:long` all are processes.

/** Their shim stands in place of `node`. */
export type Commands = Calls

/** What has been a process before. */
const tried = new Set<string>()

export function startCommands(): Promise<Commands> {
  return startCalls(answer)
}

function answer({ cwd, words: [program = '', ...words], env }: Call): Promise<Answered | null> {
  const named = words.filter((word, index) => index === 0 || /^(?:--|[a-z-]+$)/.test(word))
  const way = [basename(dirname(program)), basename(program), ...named].join(' ')
  if (isLong || !existsSync(program) || !tried.has(way)) {
    tried.add(way)
    return Promise.resolve(null)
  }
  return holdfast(words, { cwd, env, fetch: (request) => fetch(request) })
}
