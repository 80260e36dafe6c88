import { once } from 'node:events'
import { openPglite } from '../../src/db/pglite/pglite.ts'
import { openPostgres } from '../../src/db/postgres/postgres.ts'
import { applyImport, type ApplyRequest } from '../../src/platform/imports/applying/apply-import.ts'
import { countingDatabase } from '../support/counting-database.ts'
import { sampleDomain } from './sample.ts'

// A process of its own for process-kills.test.ts: makes the apply that it is sent on the database that it is given, and
// at one of its statements is killed, as by `kill -9`: by itself, so that the statement is never sent, or by its parent,
// which is told and strikes while this process goes on.

const [, , place = '', killer = 'itself', boundary = ''] = process.argv
const request = once(process, 'message') as Promise<[ApplyRequest]>
const database = place.startsWith('postgres')
  ? await openPostgres(place, { maxConnections: 2 })
  : await openPglite(place)
const context = await sampleDomain(database)
const counting = countingDatabase(database, ({ number }) => {
  if (number === Number(boundary)) die()
})
process.send?.('ready')
const [wanted] = await request
await applyImport({ ...context, database: counting }, wanted)
if (boundary === 'answer') die()
await database.close()
process.disconnect()

function die(): void {
  if (killer === 'itself') process.kill(process.pid, 'SIGKILL')
  else process.send?.('kill me')
}
