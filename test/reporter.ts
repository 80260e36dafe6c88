import type { Reporter, TestModule } from 'vitest/node'

interface Counts {
  passed: number
  failed: number
  skipped: number
}

function countTests(modules: readonly TestModule[], otherErrors: number): Counts {
  const counts = { passed: 0, failed: otherErrors, skipped: 0, pending: 0 }
  for (const module of modules) {
    // A file that cannot be loaded has no tests to fail.
    counts.failed += module.errors().length
    for (const test of module.children.allTests()) counts[test.result().state] += 1
  }
  return counts
}

/** Ends the output with `N passed, N failed, N skipped`, whatever other reporters and the tear-down have to say. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const { passed, failed, skipped } = countTests(modules, unhandledErrors.length)
    process.once('exit', () => {
      process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`)
    })
  }
}
