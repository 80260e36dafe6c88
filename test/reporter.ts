import type { Reporter, TestCase, TestModule } from 'vitest/node'

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

function reasonOf(test: TestCase): string[] {
  const result = test.result()
  if (result.state !== 'skipped' || result.note === undefined) return []
  return [`excluded: ${test.module.relativeModuleId} > ${test.fullName}: ${result.note}`]
}

/** Ends the output with `N passed, N failed, N skipped`, whatever other reporters and the tear-down have to say. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const { passed, failed, skipped } = countTests(modules, unhandledErrors.length)
    const excluded = modules.flatMap((module) => [...module.children.allTests('skipped')]).flatMap(reasonOf)
    process.once('exit', () => {
      for (const line of excluded) process.stdout.write(`${line}\n`)
      process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`)
    })
  }
}
