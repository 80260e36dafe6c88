import { join } from 'node:path'
import { makeDocument, withChanges, writeModels, type Layout } from './documents.ts'
import { measure, type BenchCommand, type Figures, type Row } from './figures.ts'
import { startServer, type Store, type StoreKind } from './platform.ts'

const RUNS = 5
const LAYOUTS: readonly Layout[] = ['JSON', 'YAML']

/** Where the models of one size are, in every form that is measured. */
export function writeAllModels(cwd: string, records: number): void {
  const document = makeDocument(records)
  const changed = withChanges(document)
  for (const layout of LAYOUTS) {
    writeModels(join(cwd, layout), document, layout)
    writeModels(join(cwd, `${layout}-changed`), changed, layout)
  }
}

/** Every command against a platform that holds the records already, each in a fresh process of the client. */
export async function measureCommands(kind: StoreKind, store: Store, cwd: string, records: number): Promise<Row[]> {
  const server = await startServer(store)
  const rows: Row[] = []
  try {
    for (const [command, runs] of commandsFor(records)) {
      const figures = await measure({ kind, server, cwd }, RUNS, ...runs)
      rows.push({ database: kind.name, records, command, runs: RUNS * runs.length, figures })
    }
  } finally {
    await server.stop()
  }
  return rows
}

function plan(models: string, expected: string): BenchCommand {
  return { words: ['plan', '--models', models], expected }
}

function commandsFor(records: number): (readonly [name: string, runs: readonly BenchCommand[]])[] {
  const updates = (records / 100).toLocaleString('en-US')
  const apply = (models: string) => ({
    words: ['apply', '--models', models, '--yes'],
    expected: `${updates} records updated`,
  })
  return [
    ...LAYOUTS.flatMap((layout) => [
      [`plan, ${layout}, no change`, [plan(layout, 'No changes on ')]] as const,
      [`plan, ${layout}, 1 % changed`, [plan(`${layout}-changed`, `${updates} to update`)]] as const,
    ]),
    ['apply, JSON, no change', [{ words: ['apply', '--models', 'JSON', '--yes'], expected: 'No changes on ' }]],
    ['apply, JSON, 1 % changed', [apply('JSON-changed'), apply('JSON')]],
    ['export', [{ words: ['export', '--out', 'exported'], expected: '' }]],
    ['history', [{ words: ['history'], expected: 'operator' }]],
  ]
}

/** The same for one record: what the processes need before there is any work. */
export async function measureBase(kind: StoreKind, cwd: string): Promise<Figures> {
  writeModels(join(cwd, 'one'), makeDocument(1), 'JSON')
  const store = await kind.create()
  const server = await startServer(store)
  try {
    return await measure({ kind, server, cwd }, RUNS, { words: ['plan', '--models', 'one'], expected: '1 to create' })
  } finally {
    await server.stop()
    await store.remove()
  }
}
