import { measureOnce, type Figures, type Row } from './figures.ts'
import { medians } from './measure.ts'
import { startServer, type Store, type StoreKind } from './platform.ts'

const RUNS = 3

/** Plans and applies everything to an empty platform, a new one each time. The last one is handed on, filled. */
export async function measureFirstApply(
  kind: StoreKind,
  cwd: string,
  records: number,
): Promise<{ row: Row; store: Store }> {
  const samples: Figures[] = []
  for (;;) {
    const store = await kind.create()
    samples.push(await applyTo(kind, store, cwd, records))
    if (samples.length === RUNS) {
      const row = { database: kind.name, records, command: 'first apply, JSON', runs: RUNS, figures: medians(samples) }
      return { row, store }
    }
    await store.remove()
  }
}

async function applyTo(kind: StoreKind, store: Store, cwd: string, records: number): Promise<Figures> {
  const server = await startServer(store)
  try {
    const expected = `${records.toLocaleString('en-US')} records created`
    return await measureOnce({ kind, server, cwd }, { words: ['apply', '--models', 'JSON', '--yes'], expected })
  } finally {
    await server.stop()
  }
}
