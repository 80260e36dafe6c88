import { expect, it } from 'vitest'
import { moveDomain } from '../../../src/db/cluster/move-domain.ts'
import { HoldfastError } from '../../../src/lib/errors.ts'
import type { Database } from '../../../src/db/sql.ts'

it('a move goes on if a node does not answer how far it is', async () => {
  const found = {
    anchor: 'systems',
    target: { id: 2, node: 'two:5432' },
    moved: { id: 7, nodeId: 1, node: 'one:5432', sharedWith: 0 },
  }
  const asked = Promise.withResolvers<void>()
  const statements: string[] = []
  const sql = { limit: () => Promise.resolve(), rows: () => Promise.resolve([{ id: 99 }]), query: () => asked.promise }
  const database = {
    read: () => Promise.resolve(found),
    transaction: (work: (handle: object) => Promise<unknown>) => work(sql),
    rows: () => {
      asked.resolve()
      return Promise.reject(new Error('connection to the remote node failed'))
    },
    statement: (text: string) => {
      statements.push(text)
      return Promise.resolve([])
    },
  } as unknown as Database
  const news = { step: () => undefined, moving: () => undefined }
  expect(await moveDomain(database, 'acme', 'two:5432', news)).toMatchObject({ from: 'one:5432', to: 'two:5432' })
  expect(statements.filter((text) => text.includes('pg_cancel_backend'))).toStrictEqual([])
})

it.each([
  ['gives no answer', new Error('Connection terminated unexpectedly'), /may be complete.* --status/],
  ['refuses', Object.assign(new Error('shard is being moved'), { severity: 'ERROR', code: 'XX000' }), /being moved/],
])('a move whose database %s says what became of it', async (_, error, message) => {
  const found = {
    anchor: 'systems',
    target: { id: 2, node: 'two:5432' },
    moved: { id: 7, nodeId: 1, node: 'one:5432', sharedWith: 0 },
  }
  const sql = {
    limit: () => Promise.resolve(),
    rows: () => Promise.resolve([{ id: 99 }]),
    query: () => Promise.reject(new HoldfastError('UNAVAILABLE', error.message, { cause: error })),
  }
  const database = {
    read: () => Promise.resolve(found),
    transaction: (work: (handle: object) => Promise<unknown>) => work(sql),
    rows: () => Promise.resolve([]),
    statement: () => Promise.resolve([]),
  } as unknown as Database
  const news = { step: () => undefined, moving: () => undefined }
  await expect(moveDomain(database, 'acme', 'two:5432', news)).rejects.toThrow(message)
})

it('shards for a domain alone are made again if their copies fail, and at last while writes wait', async () => {
  const found = {
    anchor: 'systems',
    target: { id: 2, node: 'two:5432' },
    moved: { id: 7, nodeId: 1, node: 'one:5432', sharedWith: 1 },
  }
  const modes: unknown[] = []
  let failed = 0
  let cancel: (() => void) | null = null
  let cancellations = 0
  const query = (text: string, values: readonly unknown[]) => {
    if (!text.includes('isolate_tenant')) return Promise.resolve([])
    modes.push(values[2])
    if (values[2] === 'block_writes') return Promise.resolve([])
    return new Promise((_, reject) => (cancel = () => reject(new Error('canceling statement'))))
  }
  const database = {
    read: () => Promise.resolve(found),
    transaction: (work: (handle: object) => Promise<unknown>) =>
      work({ limit: () => Promise.resolve(), rows: () => Promise.resolve([{ id: 99 }]), query }),
    rows: (_: object, text: string) =>
      Promise.resolve(text.includes('apply_error_count') ? [{ failed: failed++ }] : []),
    statement: (text: string) => {
      // Each first one is lost, as Citus does.
      if (text.includes('pg_cancel_backend') && ++cancellations % 2 === 0) cancel?.()
      return Promise.resolve([])
    },
  } as unknown as Database
  await moveDomain(database, 'acme', 'two:5432', { step: () => undefined, moving: () => undefined })
  expect(modes).toStrictEqual(['auto', 'auto', 'auto', 'block_writes'])
})
