import { expect, it } from 'vitest'
import type { Database } from '../../../src/db/sql.ts'
import { RowSource } from '../../../src/platform/changes/row-source.ts'

/** A database whose node with the domain is away, as on Citus. */
const away = {
  transaction: () =>
    Promise.reject(Object.assign(new Error('connection to the remote node failed'), { code: '08006' })),
} as unknown as Database

/** A status leaves out the outboxes of nodes that are away. */
const status = { identity: 'one', drawn: 0, settled: 0, folds: '', outbox: [] }

it('a source whose node is away keeps its place, and does not take it for that of another database', async () => {
  const source = new RowSource(away, 1, { topic: 'events', fetch: () => Promise.resolve([]) })
  await expect(source.poll(5, status)).rejects.toMatchObject({ code: '08006' })
  await expect(source.start(status)).rejects.toMatchObject({ code: '08006' })
})
