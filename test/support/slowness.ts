/** The time of reading `YARDSTICK` and joining `PIECES` on the machine that the limits are meant for. */
const YARDSTICK_MS = 36
const YARDSTICK = JSON.stringify(
  Array.from({ length: 25_000 }, (_, index) => ({
    code: `c${index}`,
    name: `Name ${index}`,
    text: 'x'.repeat(240),
    min: 0.5,
  })),
)
/** Joining them allocates fresh memory, which costs ten times as much on some machines as on others. */
const PIECES = Array.from({ length: 256 }, () => Buffer.alloc(65_536))

/** How many times slower the machine is now. */
export function slowness(): number {
  return Math.max(1, used(readAndJoin) / YARDSTICK_MS)
}

function readAndJoin(): void {
  JSON.parse(YARDSTICK)
  Buffer.concat(PIECES)
}

/** The CPU time of this thread for some work, in milliseconds of the machine that the limits are meant for. */
export async function fairTime(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  return milliseconds(process.threadCpuUsage(before)) / slowness()
}

function used(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  return milliseconds(process.threadCpuUsage(before))
}

function milliseconds({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000
}
