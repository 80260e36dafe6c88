import { writeSync } from 'node:fs'
import { peakMemory } from './processes.ts'

// Loaded into a measured process with --import: tells whoever started it, on file descriptor 3, what it has used.
// Not `maxRSS` of `resourceUsage`: Linux hands that on from the process that started this one.

process.once('exit', () => {
  const { user, system } = process.cpuUsage()
  writeSync(3, JSON.stringify({ cpu: (user + system) / 1000, peak: peakMemory(process.pid) }))
})
