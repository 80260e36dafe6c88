import { readMigrations } from '../src/db/read-migrations.ts'
import { migrate } from '../src/db/migrate.ts'
import type { BenchDocument } from './documents.ts'
import { median, timed } from './measure.ts'
import type { StoreKind } from './platform.ts'

// What nothing that does the same work can be faster than, measured in the same run on the same records.

/** JSON.parse of the document, in milliseconds. */
export async function parseBaseline(document: BenchDocument, runs: number): Promise<number> {
  const text = JSON.stringify(document)
  const times: number[] = []
  for (let run = 0; run < runs; run++) times.push(await timed(() => JSON.parse(text) as unknown))
  return median(times)
}

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
