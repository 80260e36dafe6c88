import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

// Times, medians, and what other processes have used, as Linux tells it (proc(5)).

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** The median of each figure by itself. */
export function medians<Figures extends object>(samples: readonly Figures[]): Figures {
  const names = Object.keys(samples[0] ?? {}) as (keyof Figures)[]
  const entries = names.map((name) => [name, median(samples.map((sample) => Number(sample[name])))])
  return Object.fromEntries(entries) as Figures
}

/** `share`: 0.99 for the 99th percentile. */
export function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? Number.NaN
}

/** How long some work takes in this process, in milliseconds. */
export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** How often these loops come round in some seconds, all at once. */
export async function countIn(seconds: number, loops: readonly (() => Promise<unknown>)[]): Promise<number> {
  let count = 0
  const end = performance.now() + seconds * 1_000
  const repeat = async (work: () => Promise<unknown>): Promise<void> => {
    while (performance.now() < end) {
      await work()
      count += 1
    }
  }
  await Promise.all(loops.map(repeat))
  return count
}

/**
 * Lets works take turns, round after round, so that whatever else the machine does meanwhile falls on all alike. Returns
 * the results of each work, by round.
 */
export async function takeTurns<Result>(
  rounds: number,
  works: readonly (() => Promise<Result>)[],
): Promise<Result[][]> {
  const results = works.map((): Result[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, work] of works.entries()) results[index]?.push(await work())
  }
  return results
}

/** Says on standard error how far a bench is. */
export function tell(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** Clock ticks are hundredths of a second on every Linux that Node runs on. */
const MILLISECONDS_PER_TICK = 10

/** Processor time of a process, user and system, in milliseconds. */
export function processorTime(pid: number): number {
  const [user = 0, system = 0] = statOf(pid).times
  return (user + system) * MILLISECONDS_PER_TICK
}

/** The same for a process, its running children and those that have ended. */
export function familyProcessorTime(pid: number): number {
  const own = statOf(pid).times.reduce((sum, ticks) => sum + ticks, 0) * MILLISECONDS_PER_TICK
  const others = readdirSync('/proc').map(Number).filter(Number.isInteger)
  return others.reduce((sum, other) => sum + childTime(other, pid), own)
}

/** 0 for a process that is no child of that parent. */
function childTime(pid: number, parent: number): number {
  try {
    return statOf(pid).parent === parent ? processorTime(pid) : 0
  } catch {
    // The child has ended meanwhile, and its parent has its time.
    return 0
  }
}

/** Fields 4 and 14 to 17; the name in field 2 may hold anything, also blanks and brackets. */
function statOf(pid: number): { parent: number; times: number[] } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { parent: Number(fields[1]), times: fields.slice(11, 15).map(Number) }
}

/** The most memory that a process has held since `forgetPeak`, in kilobytes. */
export function peakMemory(pid: number): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}

export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

const CLI = new URL('../bin/holdfast.js', import.meta.url).pathname
const REPORT_USAGE = new URL('./report-usage.js', import.meta.url).href

export interface Command {
  readonly words: readonly string[]
  readonly cwd: string
  readonly env: { readonly [name: string]: string }
  /** A part of the output. Without it the run has measured something else, and fails. */
  readonly expected: string
}

/** Runs the command line in a process of its own, as a person would. Returns milliseconds and kilobytes. */
export async function runCommand({ words, cwd, env, expected }: Command) {
  const start = performance.now()
  const child = spawn(process.execPath, ['--import', REPORT_USAGE, CLI, ...words], {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  const [out, error, usage] = [child.stdout, child.stderr, child.stdio[3]].map((stream) => text(stream as Readable))
  const [code] = (await once(child, 'exit')) as [number | null]
  const wall = performance.now() - start
  const said = `${await out}${await error}`
  if (code !== 0 || !said.includes(expected))
    throw new Error(`holdfast ${words.join(' ')} ended with ${code} without "${expected}":\n${said.slice(-2000)}`)
  return { wall, ...(JSON.parse((await usage) ?? '') as { readonly cpu: number; readonly peak: number }) }
}
