import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { dump } from 'js-yaml'
import type { Characteristic } from '../generated/import-document.ts'
import { migrate } from '../src/db/migrate.ts'
import { readMigrations } from '../src/db/read-migrations.ts'
import { median, medians, timed } from './measure.ts'
import { temporaryDirectory, type Store } from './server.ts'

// Import documents of any size, the same every time: characteristics with 14 fields each, about 310 bytes of JSON. And two
// baselines, which no program that does the same work can beat.

export interface BenchDocument {
  readonly characteristics: readonly Characteristic[]
}

const DATA_TYPES = ['FLOAT', 'INTEGER', 'SELECT', 'BOOLEAN', 'STRING'] as const

export function makeDocument(count: number): BenchDocument {
  return { characteristics: Array.from({ length: count }, (_, index) => makeCharacteristic(index)) }
}

function makeCharacteristic(index: number): Characteristic {
  const dataType = DATA_TYPES[index % DATA_TYPES.length] ?? 'FLOAT'
  const isNumber = dataType === 'FLOAT' || dataType === 'INTEGER'
  return {
    code: `characteristic-${String(index).padStart(7, '0')}`,
    name: `Characteristic ${index}`,
    description: `Measured in room ${index % 977}`,
    status: index % 50 === 0 ? 'ARCHIVED' : 'ACTIVATED',
    characteristicType: index % 3 === 0 ? 'SETTING' : 'MEASUREMENT',
    dataType,
    symbol: isNumber ? '°C' : null,
    multiple: false,
    options: dataType === 'SELECT' ? ['auto', 'on', 'off'].map((key) => ({ key, label: `Mode ${key}`, meta: [] })) : [],
    boundaryMin: isNumber ? -20 : null,
    boundaryMax: isNumber ? 100 + (index % 7) : null,
    boundaryStep: isNumber ? 1 : null,
    precision: dataType === 'FLOAT' ? 2 : null,
    metadataKeyValueStore: [{ key: 'asset', value: { integer: index } }],
  }
}

/** The same document with one record in a hundred renamed. */
export function withChanges({ characteristics }: BenchDocument): BenchDocument {
  return {
    characteristics: characteristics.map((record, index) =>
      index % 100 === 50 ? { ...record, name: `${record.name}, renamed` } : record,
    ),
  }
}

/** Records in one file of a directory of YAML files: 5,000 files for 100,000 records. */
const RECORDS_PER_FILE = 20

export function writeModels(directory: string, { characteristics }: BenchDocument, layout: 'JSON' | 'YAML'): void {
  mkdirSync(directory, { recursive: true })
  if (layout === 'JSON') {
    writeFileSync(join(directory, 'models.json'), JSON.stringify({ characteristics }))
    return
  }
  for (let start = 0; start < characteristics.length; start += RECORDS_PER_FILE) {
    const part = { characteristics: characteristics.slice(start, start + RECORDS_PER_FILE) }
    writeFileSync(join(directory, `${String(start).padStart(7, '0')}.yaml`), dump(part))
  }
}

export interface ParseTime {
  readonly wall: number
  readonly processor: number
}

/** JSON.parse of the document, in milliseconds: the medians of several runs in a process that does nothing else. */
export async function parseBaseline(document: BenchDocument, runs: number): Promise<ParseTime> {
  const file = join(temporaryDirectory(), 'document.json')
  writeFileSync(file, JSON.stringify(document))
  const { stdout } = await promisify(execFile)(process.execPath, ['--eval', PARSE, file, String(runs)])
  return medians(JSON.parse(stdout) as ParseTime[])
}

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
export async function insertBaseline(store: Store, { characteristics }: BenchDocument, runs: number): Promise<number> {
  const database = await store.open(1)
  await migrate(database, await readMigrations(new URL('../src/db/migrations/', import.meta.url)))
  const columns = [
    characteristics.map(({ code }) => code),
    characteristics.map(() => crypto.randomUUID()),
    characteristics.map((record) => JSON.stringify(record)),
    characteristics.map((_, index) => `sha256:${String(index).padStart(64, '0')}`),
  ]
  const times: number[] = []
  for (let run = 0; run < runs; run++) {
    await database.script('drop table if exists bare; create table bare (like records including all)')
    times.push(await timed(() => database.transaction((sql) => sql.query(INSERT, columns))))
  }
  await database.close()
  await store.remove()
  return median(times)
}

const INSERT = `insert into bare (domain_id, type, key, uuid, body, digest, created_at, updated_at)
  select 1, 'characteristics', key, uuid::uuid, body::jsonb, digest, now(), now()
  from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as new (key, uuid, body, digest)`
