import { writeSync } from 'node:fs'
import pg from 'pg'

// Loaded into a measured server with --import: on SIGUSR2 it tells whoever started it, on file descriptor 3, how many
// statements it has sent to PostgreSQL, and its processor time in milliseconds.
// JavaScript, and without imports of TypeScript: Node would load what strips types, and that would be measured.

let statements = 0
const { query } = pg.Client.prototype
pg.Client.prototype.query = function counted(...words) {
  statements += 1
  return query.apply(this, words)
}

process.on('SIGUSR2', () => {
  const { user, system } = process.cpuUsage()
  writeSync(3, `${JSON.stringify({ statements, cpu: (user + system) / 1000 })}\n`)
})
