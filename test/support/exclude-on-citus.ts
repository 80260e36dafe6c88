import { beforeEach, inject } from 'vitest'
import { reasonToExclude } from './citus-exclusions.ts'

if (inject('testCluster').isCitus) {
  beforeEach(({ task, skip }) => {
    const reason = reasonToExclude(task.file.name, task.fullTestName)
    if (reason !== undefined) skip(reason)
  })
}
