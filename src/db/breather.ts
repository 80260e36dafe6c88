/** The longest time that long work runs before other work gets a turn. */
const LONGEST_MS = 10

/** The time when paused work last continued. */
let since = 0
const waiting: (() => void)[] = []

/** Returns a function to call between the steps of long work. It lets other work run if that waited long enough. */
export function breather(): () => Promise<void> {
  const begun = performance.now()
  return async () => {
    if (performance.now() - Math.max(begun, since) >= LONGEST_MS) await turn()
  }
}

/** Runs all steps of long work, and lets other work run in between. */
export async function inTurns<Result>(steps: Iterator<unknown, Result, undefined>): Promise<Result> {
  const breathe = breather()
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    await breathe()
  }
}

/** Continues one paused task per turn of the event loop. Twenty at once would block it twenty times as long. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(goOn)
  })
}

function goOn(): void {
  since = performance.now()
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(goOn)
}
