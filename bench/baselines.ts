import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readMigrations } from '../src/db/read-migrations.ts'
import { migrate } from '../src/db/migrate.ts'
import type { BenchDocument } from './documents.ts'
import { median, medians, timed } from './measure.ts'
import type { StoreKind } from './platform.ts'

// What nothing that does the same work can be faster than, measured in the same run on the same records.

export interface ParseBaseline {
  readonly wall: number
  readonly processor: number
}

/** JSON.parse of the document, in milliseconds: the medians of several runs in a process that does nothing else. */
export async function parseBaseline(document: BenchDocument, runs: number): Promise<ParseBaseline> {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-bench-parse-'))
  const file = join(directory, 'document.json')
  try {
    writeFileSync(file, JSON.stringify(document))
    const { stdout } = await run(process.execPath, ['--eval', PARSE, file, String(runs)])
    return medians(JSON.parse(stdout) as { wall: number; processor: number }[])
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

const run = promisify(execFile)

const PARSE = `
  const [file, runs] = process.argv.slice(1)
  const text = require('node:fs').readFileSync(file, 'utf8')
  const times = []
  for (let n = 0; n < Number(runs); n++) {
    const [start, before] = [performance.now(), process.cpuUsage()]
    JSON.parse(text)
    const { user, system } = process.cpuUsage(before)
    times.push({ wall: performance.now() - start, processor: (user + system) / 1000 })
  }
  console.log(JSON.stringify(times))`

/** One insert by `unnest` and its commit: the same rows into a table like `records`, with the same indexes. */
export async function insertBaseline(kind: StoreKind, document: BenchDocument, runs: number): Promise<number> {
  const store = await kind.create()
  const database = await store.open()
  const times: number[] = []
  try {
    await migrate(database, await readMigrations(new URL('../src/db/migrations/', import.meta.url)))
    const columns = rowsOf(document)
    for (let run = 0; run < runs; run++) {
      await database.script('drop table if exists bare; create table bare (like records including all)')
      times.push(await timed(() => database.transaction((sql) => sql.query(INSERT, columns))))
    }
  } finally {
    await database.close()
    await store.remove()
  }
  return median(times)
}

const INSERT = `insert into bare (domain_id, type, key, uuid, body, digest, created_at, updated_at)
  select 1, 'characteristics', key, uuid::uuid, body::jsonb, digest, now(), now()
  from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as new (key, uuid, body, digest)`

function rowsOf({ characteristics }: BenchDocument): string[][] {
  return [
    characteristics.map(({ code }) => code),
    characteristics.map(() => crypto.randomUUID()),
    characteristics.map((record) => JSON.stringify(record)),
    characteristics.map((_, index) => `sha256:${String(index).padStart(64, '0')}`),
  ]
}
