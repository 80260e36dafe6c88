/** On the machine that the limit is meant for, reading `YARDSTICK` takes so long. */
const YARDSTICK_MS = 30
const YARDSTICK = JSON.stringify(
  Array.from({ length: 25_000 }, (_, index) => ({
    code: `c${index}`,
    name: `Name ${index}`,
    text: 'x'.repeat(240),
    min: 0.5,
  })),
)

/** How many times slower the machine is now. */
export function slowness(): number {
  return Math.max(1, used(() => JSON.parse(YARDSTICK)) / YARDSTICK_MS)
}

function used(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}
