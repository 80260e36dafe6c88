import { writeSync } from 'node:fs'

// Runs in each server process of a test, and in its threads: says what nobody there handles, a rejection or an emitter's
// error, and changes nothing else. Plain JavaScript, for whichever Node it is.

process.on('uncaughtExceptionMonitor', (error, origin) => {
  try {
    writeSync(2, `\nNobody handles this ${origin}: ${error?.stack ?? error}\n`)
  } catch {
    // A test may have closed it, or filled its disk.
  }
})
