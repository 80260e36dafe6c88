import { writeSync } from 'node:fs'

// Loaded into a measured process with --import: tells whoever started it, on file descriptor 3, what it has used.

process.once('exit', () => {
  writeSync(3, JSON.stringify(process.resourceUsage()))
})
