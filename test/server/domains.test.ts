import { beforeAll, describe, expect, it } from 'vitest'
import { readDomain } from '../../src/store/domains.ts'
import { SAMPLED_DATABASES } from '../support/databases.ts'
import { HOSTS } from './test-server.ts'
import { server, useServer } from './one-server.ts'

const CREATE = `mutation ($code: String!) { createDataSource(input: {code: $code}) { uuid } }`
const LIST = `{ dataSources { nodes { code uuid } totalCount } currentDomain { name hostNames } }`

describe.each(SAMPLED_DATABASES)('two domains on $name', (kind) => {
  useServer({ kind })
  beforeAll(async () => {
    await server.data(CREATE, { code: 'of-the-first' }, HOSTS.first)
    await server.data(CREATE, { code: 'of-the-second' }, HOSTS.second)
    await server.data(CREATE, { code: 'of-both' }, HOSTS.first)
    await server.data(CREATE, { code: 'of-both' }, HOSTS.second)
  })

  it.each(['first', 'second'] as const)('the %s sees only its own records', async (name) => {
    const { dataSources, currentDomain } = await server.data<Answer>(LIST, {}, HOSTS[name])
    expect(dataSources.nodes.map(({ code }) => code)).toStrictEqual(['of-both', `of-the-${name}`])
    expect(dataSources.totalCount).toBe(2)
    expect(currentDomain).toMatchObject({ name: `The ${name}` })
  })

  it('records of the same key are not the same record', async () => {
    const find = `{ dataSource(code: "of-both") { uuid } }`
    const [first, second] = await Promise.all([server.data(find, {}, HOSTS.first), server.data(find, {}, HOSTS.second)])
    expect(first).not.toStrictEqual(second)
  })

  it('a change in one leaves the other alone', async () => {
    await server.data(
      `mutation { updateDataSource(code: "of-both", input: {name: "Changed"}) { name } }`,
      {},
      HOSTS.second,
    )
    const { dataSource } = await server.data(`{ dataSource(code: "of-both") { name } }`, {}, HOSTS.first)
    expect(dataSource).toStrictEqual({ name: null })
  })

  it('a query that forgets to ask for its domain sees no other one', async () => {
    for (const { id } of server.domains) {
      const seen = await readDomain(server.database, id, (sql) =>
        sql.query(`select distinct domain_id as id from records`),
      )
      expect(seen).toStrictEqual([{ id }])
      const domains = await readDomain(server.database, id, (sql) => sql.query(`select id from domains`))
      expect(domains).toStrictEqual([{ id }])
    }
  })
})

interface Answer {
  readonly dataSources: { readonly nodes: readonly { readonly code: string }[]; readonly totalCount: number }
  readonly currentDomain: object
}
