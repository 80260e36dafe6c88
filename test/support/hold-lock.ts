import { lockDirectory } from '../../src/db/pglite/directory-lock.ts'

// A separate process for directory-lock.test.ts. It takes the lock of the given directory, reports it, and holds the
// lock until it is stopped or killed.

const [, , directory = '', url = null] = process.argv
try {
  const lock = lockDirectory(directory, { holder: { pid: process.pid, url, startedAt: '2026-01-02T03:04:05Z' } })
  process.on('message', () => {
    lock.release()
    process.disconnect()
  })
  process.send?.('locked')
} catch (error) {
  process.send?.(error instanceof Error ? error.message : 'failed')
  process.disconnect()
}
