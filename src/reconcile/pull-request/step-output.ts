import { appendFileSync, existsSync, statSync } from 'node:fs'
import { sizeOf } from '../../plan/render/markdown/markdown-text.ts'
import { reasonOfFileError } from '../file-error.ts'
import type { Io } from '../../shell/io.ts'
import { warn } from '../forge/workflow-commands.ts'

// A step passes its results on in files that GitHub names in the environment.

/** GitHub drops the whole summary of a step that is larger than 1 MiB. */
const SUMMARY_LIMIT = 1_048_576
const LEAST_ROOM = 4_000

/** Writes the summary. `render` makes markdown of at most the given number of bytes. */
export function writeSummary(render: (limit: number) => string, io: Pick<Io, 'env' | 'stderr'>): void {
  const file = io.env['GITHUB_STEP_SUMMARY']
  if (!file) return
  append(file, io, () => {
    const room = SUMMARY_LIMIT - (existsSync(file) ? statSync(file).size : 0) - 2
    if (room < LEAST_ROOM) return warn('the summary of this step is full already; the plan is not in it', io)
    const text = render(room)
    if (sizeOf(text) <= room) appendFileSync(file, `${text.trimEnd()}\n\n`)
  })
}

export function writeOutput(outputs: { readonly [name: string]: string }, io: Pick<Io, 'env' | 'stderr'>): void {
  const file = io.env['GITHUB_OUTPUT']
  if (!file) return
  const lines = Object.entries(outputs).map(([name, value]) => `${name}=${value.replaceAll(/[\r\n]/g, ' ')}\n`)
  append(file, io, () => appendFileSync(file, lines.join('')))
}

/** Only warns about a failure, because the command itself has succeeded. */
function append(file: string, io: Pick<Io, 'stderr' | 'env'>, work: () => void): void {
  try {
    work()
  } catch (error) {
    warn(`${file} cannot be written: ${reasonOfFileError(error)}`, io)
  }
}
