import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { NodeWatch } from '../../../src/db/postgres/node-watch.ts'
import { openPostgres } from '../../../src/db/postgres/postgres.ts'
import type { Database } from '../../../src/db/sql.ts'
import { acrossDomains } from '../../../src/store/across-domains.ts'
import { findDomainsAway } from '../../../src/store/nodes-of-domains.ts'
import { createPostgresDatabase } from '../../support/databases.ts'
import { makeDomain } from '../../support/domain.ts'
import { MIGRATED_TEMPLATE } from '../../support/global-setup.ts'
import { PATIENCE } from '../../support/patience.ts'

/** One PostgreSQL plays a cluster with two nodes. A node in the table `hanging` accepts no connection. */
const CLUSTER = `
  create table pg_dist_node (groupid integer, noderole text, shouldhaveshards boolean, nodename text, nodeport integer);
  insert into pg_dist_node values (1, 'primary', true, 'here', 1), (2, 'primary', true, 'there', 2);
  create table pg_dist_placement (shardid bigint, groupid integer);
  create function get_shard_id_for_distribution_column(text, bigint) returns bigint language sql as 'select $2';
  create table hanging (node text);
  create function citus_check_connection_to_node(text, integer) returns boolean language sql as
    'select not exists (select from hanging where node = $1)';
  set allow_system_table_mods = on;
  insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
    values (99999, 'citus', 10, 2200, false, '13.2');
  reset allow_system_table_mods;`

describe.skipIf(inject('testCluster').isCitus)('a node that hangs', () => {
  let database: Database
  let beside: Database
  let drop: () => Promise<void>
  let domains: readonly [here: number, there: number]

  beforeAll(async () => {
    const made = await createPostgresDatabase(MIGRATED_TEMPLATE)
    drop = made.drop
    beside = await openPostgres(made.url, { maxConnections: 1 })
    domains = [(await makeDomain(beside, 'here')).domain.id, (await makeDomain(beside, 'there')).domain.id]
    const placed = `insert into pg_dist_placement values (${domains[0]}, 1), (${domains[1]}, 2)`
    for (const statement of [...CLUSTER.split(';\n'), placed]) await beside.script(statement)
    database = await openPostgres(made.url, { maxConnections: 2 })
  })
  afterAll(async () => {
    await database.close()
    await beside.close()
    await drop()
  })

  it('ends the statements that wait for it, and its domains are away until it answers', async () => {
    const [here, there] = domains
    await beside.script(`insert into hanging values ('there')`)
    await expect(database.statement('select pg_sleep(100)')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect([...(database.away?.() ?? [])]).toStrictEqual([there])
    expect(await findDomainsAway(database, [here, there])).toStrictEqual([there])
    const asked = await acrossDomains(database, null, async (some) => [some])
    expect(asked).toStrictEqual([[here]])
    await beside.script('delete from hanging')
    await vi.waitUntil(() => database.away?.().size === 0, PATIENCE)
    expect(await acrossDomains(database, null, async (some) => [some])).toStrictEqual([null])
  })
})

it('a watch asks again after a probe that nobody answered', async () => {
  let asked = 0
  const silent = createServer((socket) => {
    asked += 1
    socket.on('error', () => undefined)
  }).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const watch = new NodeWatch(
    `postgres://nobody@127.0.0.1:${port}/none`,
    { oldestMs: 60_000, giveUp: () => undefined },
    50,
  )
  await vi.waitFor(() => expect(asked).toBeGreaterThan(1), PATIENCE)
  watch.end()
  silent.close()
})
