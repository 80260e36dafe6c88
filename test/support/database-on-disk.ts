import { openAsBlob, statSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { TEXT } from '../../src/db/columns.ts'
import { openPglite } from '../../src/db/pglite/pglite.ts'
import { openPostgres } from '../../src/db/postgres/postgres.ts'
import type { Database } from '../../src/db/sql.ts'
import { smallDisk, type SmallDisk } from './small-disk.ts'

/** The message if the disk of a database is full. */
export const IS_FULL = /^the disk of the (database|database server) is full.*free some space.*Nothing was changed/

/** A database on a separate disk that can be full. */
export interface DatabaseOnDisk {
  readonly disk: SmallDisk
  open(): Promise<Database>
  remove(): Promise<void>
}

export async function pgliteOnDisk(template: 'pgliteTemplate' | 'migratedPgliteTemplate'): Promise<DatabaseOnDisk> {
  const disk = smallDisk(260)
  const blob = await openAsBlob(inject(template))
  const open = () => openPglite(join(disk.directory, 'database'), { template: blob })
  return { disk, open, remove: () => Promise.resolve(disk.remove()) }
}

/** Only the tables are on the disk. PostgreSQL could not continue without its log, so the log is elsewhere. */
export async function postgresOnDisk(template: string): Promise<DatabaseOnDisk> {
  const name = `full_${crypto.randomUUID().replaceAll('-', '')}`
  const admin = await openPostgres(`${inject('postgresUrl')}/postgres`, { maxConnections: 1 })
  const [found] = await admin.rows({ data_directory: TEXT }, 'show data_directory')
  const disk = smallDisk(120, statSync(found?.data_directory ?? ''))
  await admin.script(`create tablespace ${name} location '${disk.directory}'`)
  await admin.script(`create database ${name} template ${template} tablespace ${name} strategy file_copy`)
  return {
    disk,
    open: () => openPostgres(`${inject('postgresUrl')}/${name}`, { maxConnections: 4 }),
    remove: async () => {
      disk.free()
      await admin.script(`drop database ${name} with (force)`)
      await admin.script(`drop tablespace ${name}`)
      await admin.close()
      disk.remove()
    },
  }
}

/** `describe.runIf(CAN_MOUNT).each(DATABASES_ON_DISK)('… on $name', ({ migrated }) => …)` */
export const DATABASES_ON_DISK = [
  {
    name: 'PGlite',
    migrated: () => pgliteOnDisk('migratedPgliteTemplate'),
    empty: () => pgliteOnDisk('pgliteTemplate'),
  },
  { name: 'PostgreSQL', migrated: () => postgresOnDisk('migrated'), empty: () => postgresOnDisk('template1') },
]
