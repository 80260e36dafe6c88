import { lockDirectory } from '../../src/db/pglite/directory-lock.ts'

// A process of its own for directory-lock.test.ts: takes the lock of the directory it is given, says so, and holds it
// until it is told to stop or killed.

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
