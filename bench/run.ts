import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../test/support/postgres-server.ts'
import { insertBaseline, parseBaseline } from './baselines.ts'
import { makeDocument } from './documents.ts'
import type { Row } from './figures.ts'
import { measureFirstApply } from './first-apply.ts'
import { measureBase, measureCommands, writeAllModels } from './plan.ts'
import { pgliteStores, postgresStores, type StoreKind } from './platform.ts'
import { familyProcessorTime } from './processes.ts'
import { reportOf } from './report.ts'
import type { Baselines, Measured } from './targets.ts'

// npm run bench [-- --quick] [--date YYYY-MM-DD]. Linux only: it asks /proc about the server.

const { values: options } = parseArgs({ options: { quick: { type: 'boolean' }, date: { type: 'string' } } })
const sizes = options.quick === true ? [1_000, 10_000] : [1_000, 10_000, 100_000]
const workspace = mkdtempSync(join(tmpdir(), 'holdfast-bench-models-'))
const postgres = await startPostgres({ durable: true })
try {
  const kinds = [postgresStores(postgres, () => familyProcessorTime(postgres.pid)), pgliteStores()]
  const measured: Measured[] = []
  for (const kind of kinds) measured.push(await measureKind(kind))
  const report = reportOf(measured, options.date ?? new Date().toISOString().slice(0, 10))
  process.stdout.write(`${report}\n`)
  if (options.quick !== true) writeFileSync(new URL('./results.md', import.meta.url), report)
} finally {
  await postgres.stop()
  rmSync(workspace, { recursive: true, force: true })
}

async function measureKind(kind: StoreKind): Promise<Measured> {
  const rows: Row[] = []
  const baselines = new Map<number, Baselines>()
  const base = await measureBase(kind, workspace)
  for (const records of sizes) {
    process.stderr.write(`${kind.name}, ${records.toLocaleString('en-US')} records …\n`)
    const document = makeDocument(records)
    baselines.set(records, { parse: await parseBaseline(document, 5), insert: await insertBaseline(kind, document, 5) })
    const cwd = join(workspace, String(records))
    mkdirSync(cwd, { recursive: true })
    writeAllModels(cwd, records)
    const { row, store } = await measureFirstApply(kind, cwd, records)
    rows.push(row, ...(await measureCommands(kind, store, cwd, records)))
    await store.remove()
  }
  return { database: kind.name, base, baselines, rows }
}
