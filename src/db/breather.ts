/** The longest time that other work waits for its turn. */
const LONGEST_MS = 10

/** When the last of those who gave way went on. */
let since = 0
const waiting: (() => void)[] = []

/** Lets other work run between two steps of a long one, where it has waited for long enough. */
export function breather(): () => Promise<void> {
  const begun = performance.now()
  return async () => {
    if (performance.now() - Math.max(begun, since) >= LONGEST_MS) await turn()
  }
}

/** Takes all steps of a long work while other work runs in between. */
export async function inTurns<Result>(steps: Iterator<unknown, Result, undefined>): Promise<Result> {
  const breathe = breather()
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    await breathe()
  }
}

/** Only one goes on in a turn of the event loop: the steps of twenty would be as long as one step of twenty times the length. */
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
