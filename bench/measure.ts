import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

/** What one command took; milliseconds and kilobytes. */
export interface Usage {
  readonly wall: number
  readonly cpu: number
  readonly peak: number
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** The median of each figure by itself. */
export function medians<Figures extends { readonly [figure: string]: number }>(samples: readonly Figures[]): Figures {
  const names = Object.keys(samples[0] ?? {})
  return Object.fromEntries(names.map((name) => [name, median(samples.map((sample) => sample[name] ?? 0))])) as Figures
}

/** How long some work takes in this process, in milliseconds. */
export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const CLI = new URL('../bin/holdfast.js', import.meta.url).pathname
const REPORT_USAGE = new URL('./report-usage.js', import.meta.url).href

export interface Command {
  readonly words: readonly string[]
  readonly cwd: string
  readonly env: { readonly [name: string]: string }
  /** What the output must say, or the run measured something else. */
  readonly expected: string
}

/** Runs the command line in a process of its own, as a person would. */
export async function runCommand({ words, cwd, env, expected }: Command): Promise<Usage> {
  const start = performance.now()
  const child = spawn(process.execPath, ['--import', REPORT_USAGE, CLI, ...words], {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  const [out, error, report] = [child.stdout, child.stderr, child.stdio[3]].map((stream) => text(stream as Readable))
  const [code] = (await once(child, 'exit')) as [number | null]
  const wall = performance.now() - start
  const said = `${await out}${await error}`
  if (code !== 0 || !said.includes(expected)) {
    throw new Error(
      `holdfast ${words.join(' ')} ended with ${code} and did not say "${expected}":\n${said.slice(-2000)}`,
    )
  }
  const usage = JSON.parse((await report) ?? '') as Omit<Usage, 'wall'>
  return { wall, ...usage }
}
