import { appendFileSync, existsSync, statSync } from 'node:fs'
import { sizeOf } from '../../plan/render/markdown/markdown-text.ts'
import { reasonOfFileError } from '../models/file-error.ts'
import type { Io } from '../../shell/io.ts'
import { warn } from './workflow-commands.ts'

// What a step hands over by the files that GitHub names in its environment.

/** GitHub drops the whole summary of a step when it is larger than 1 MiB. */
const SUMMARY_LIMIT = 1_048_576
const LEAST_ROOM = 4_000

/** `render` makes markdown of at most so many bytes. */
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

/** What is handed over is a help; the command has done its work all the same. */
function append(file: string, io: Pick<Io, 'stderr'>, work: () => void): void {
  try {
    work()
  } catch (error) {
    warn(`${file} cannot be written: ${reasonOfFileError(error)}`, io)
  }
}
