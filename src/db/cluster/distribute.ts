import { HoldfastError } from '../../lib/errors.ts'
import { underMigrationLock } from '../migration-lock.ts'
import type { Database, Transaction } from '../sql.ts'
import { readCatalog } from './catalog.ts'
import { isDistributed, planLayout, type Catalog, type LayoutStep } from './layout.ts'

export interface DistributionNews {
  /** Reports a step that begins, and the number of steps that remain with it. */
  tell(text: string, step?: LayoutStep, remaining?: number): void
}

const SILENT: DistributionNews = { tell: () => undefined }

/**
 * Distributes a migrated database over the workers of its Citus cluster. It does only what is missing, and each step
 * commits by itself. So it can run again after a failure, or at once in several processes.
 */
export async function distributeDatabase(database: Database, news: DistributionNews = SILENT): Promise<void> {
  const catalog = await database.read(readCatalog)
  if (catalog === null) throw new HoldfastError('UNAVAILABLE', 'The database does not have the extension citus')
  await distribute(database, catalog, news)
}

/** Distributes the tables of new migrations, if the database is distributed. Other databases stay as they are. */
export async function followLayout(database: Database, news: DistributionNews): Promise<void> {
  const catalog = await database.read(readCatalog)
  if (catalog !== null && isDistributed(catalog)) await distribute(database, catalog, news)
}

async function distribute(database: Database, catalog: Catalog, news: DistributionNews): Promise<void> {
  if (planLayout(catalog).length === 0) return
  const waits = (): void => news.tell('Another process changes the tables; this one waits for it')
  while (await underMigrationLock(database, waits, (sql) => takeStep(sql, news)));
}

/** Plans again in each transaction, because another process may have taken the step meanwhile. */
async function takeStep(sql: Transaction, news: DistributionNews): Promise<boolean> {
  const catalog = await readCatalog(sql)
  const steps = catalog === null ? [] : planLayout(catalog)
  const [step] = steps
  if (step === undefined) return false
  news.tell(step.what, step, steps.length)
  // The shards of tables that reference each other are made in one order on all connections.
  await sql.setLocal({ 'citus.multi_shard_modify_mode': 'sequential' })
  await sql.query(step.statement).catch((cause: unknown) => {
    if (cause instanceof HoldfastError) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new HoldfastError('INTERNAL', `${step.what} failed and was rolled back: ${reason}`, { cause })
  })
  return true
}
