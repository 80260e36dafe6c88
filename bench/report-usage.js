import { readFileSync, writeSync } from 'node:fs'

// Loaded into a measured process with --import: tells whoever started it, on file descriptor 3, what it has used.
// Not `maxRSS` of `resourceUsage`: Linux hands that on from the process that started this one.
// JavaScript, and without imports of TypeScript: Node would load what strips types, and that would be measured.

process.once('exit', () => {
  const { user, system } = process.cpuUsage()
  const peak = Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1])
  writeSync(3, JSON.stringify({ cpu: (user + system) / 1000, peak }))
})
