import { beforeAll, beforeEach, inject, TestRunner, type RunnerTask } from 'vitest'
import { reasonToExclude } from './citus-exclusions.ts'

if (inject('testCluster').isCitus) {
  // oxlint-disable-next-line no-empty-pattern -- Vitest demands a pattern before the suite
  beforeAll(({}, file) => leaveHooks(file))
  beforeEach(({ task, skip }) => {
    const reason = reasonToExclude(task.file.name, task.fullTestName)
    if (reason !== undefined) skip(reason)
  })
}

/** A suite of excluded tests prepares nothing, because Citus may refuse that, too. */
function leaveHooks(task: RunnerTask): void {
  if (task.type !== 'suite') return
  task.tasks.forEach(leaveHooks)
  if (!isExcluded(task)) return
  const hooks = TestRunner.getSuiteHooks(task)
  // In place, because those of the file are being run.
  hooks.beforeAll.length = 0
  hooks.afterAll.length = 0
}

function isExcluded(task: RunnerTask): boolean {
  if (task.type === 'suite') return task.tasks.every(isExcluded)
  return reasonToExclude(task.file.name, task.fullTestName) !== undefined
}
