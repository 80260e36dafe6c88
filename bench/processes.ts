import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

// What other processes have used, as Linux tells it (proc(5)).

/** Clock ticks are hundredths of a second on every Linux that Node runs on. */
const MILLISECONDS_PER_TICK = 10

/** Processor time of a process, user and system, in milliseconds. */
export function processorTime(pid: number): number {
  const [user = 0, system = 0] = statOf(pid).times
  return (user + system) * MILLISECONDS_PER_TICK
}

/** The same for a process, its running children and those that have ended. */
export function familyProcessorTime(pid: number): number {
  const { times } = statOf(pid)
  const running = readdirSync('/proc')
    .map(Number)
    .filter(Number.isInteger)
    .map((other) => childTime(other, pid))
    .reduce((sum, time) => sum + time, 0)
  return times.reduce((sum, ticks) => sum + ticks, 0) * MILLISECONDS_PER_TICK + running
}

/** 0 for a process that is no child of that parent. */
function childTime(pid: number, parent: number): number {
  try {
    const { parent: own, times } = statOf(pid)
    const [user = 0, system = 0] = times
    return own === parent ? (user + system) * MILLISECONDS_PER_TICK : 0
  } catch {
    // It ended meanwhile, and its parent has its time.
    return 0
  }
}

/** Fields 4 and 14 to 17; the name in field 2 may hold anything, also blanks and brackets. */
function statOf(pid: number): { parent: number; times: number[] } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { parent: Number(fields[1]), times: fields.slice(11, 15).map(Number) }
}

/** The memory that a process holds, in kilobytes. */
export function heldMemory(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}

/** The most memory that a process has held since `forgetPeak`, in kilobytes. */
export function peakMemory(pid: number): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}

export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}
