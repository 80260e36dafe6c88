import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Plan } from '../../src/plan/plan.ts'
import { SAMPLED_DATABASES } from '../support/databases.ts'
import { server, useServer } from './one-server.ts'

const PLAN = `query ($document: JSON!, $settings: JSON) { planImport(document: $document, settings: $settings) { digest outcome summary { create delete } scope { type state } json pointers } }`
const APPLY = `mutation ($document: JSON!, $settings: JSON, $plan: JSON!, $origin: ApplyOriginInput) {
  applyImport(document: $document, settings: $settings, plan: $plan, origin: $origin) { uuid recorded at planDigest summary actor rollbackOf changes }
}`
const HISTORY = `query ($first: Int!, $after: ID) { applies(first: $first, after: $after) { nodes { uuid at actor planDigest summary origin scope rollbackOf } pageInfo { hasNextPage endCursor } } }`

interface Planned {
  readonly planImport: {
    readonly json: Plan
    readonly pointers: object
    readonly digest: string
    readonly outcome: string
    readonly summary: object
    readonly scope: readonly object[]
  }
}
interface Applied {
  readonly applyImport: {
    readonly uuid: string
    readonly recorded: boolean
    readonly at: string
    readonly changes: readonly object[]
  }
}
interface History {
  readonly applies: {
    readonly nodes: readonly {
      readonly uuid: string
      readonly rollbackOf: string | null
      readonly scope: readonly object[]
    }[]
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string }
  }
}

describe.each(SAMPLED_DATABASES)('plans and applies through GraphQL on $name', (kind) => {
  const document = {
    services: [
      { code: 'climate', name: 'Climate' },
      { code: 'metering', name: 'Metering' },
    ],
  }
  useServer({ kind })

  it('plan, apply, apply again, history, rollback', async () => {
    const { planImport } = await server.data<Planned>(PLAN, { document })
    expect(planImport).toMatchObject({
      outcome: 'CHANGES',
      summary: { create: 2, delete: 0 },
      digest: planImport.json.digest,
    })
    expect(planImport.scope).toHaveLength(12)
    expect(planImport.pointers).toStrictEqual({ 'services/climate': '/services/0', 'services/metering': '/services/1' })

    const applyId = randomUUID()
    const variables = {
      document,
      plan: planImport.json,
      origin: { applyId, commit: 'abc', repository: 'r', ref: 'main' },
    }
    const { applyImport } = await server.data<Applied>(APPLY, variables)
    expect(applyImport).toMatchObject({
      uuid: applyId,
      recorded: true,
      planDigest: planImport.digest,
      actor: 'operator',
      rollbackOf: null,
    })
    expect(applyImport.at).toBe(new Date(applyImport.at).toISOString())
    expect(await server.data(APPLY, variables)).toStrictEqual({ applyImport })

    const { applies } = await server.data<History>(HISTORY, { first: 1 })
    expect(applies.pageInfo).toStrictEqual({ hasNextPage: false, endCursor: applyId })
    expect(applies.nodes).toMatchObject([
      { uuid: applyId, actor: 'operator', origin: { commit: 'abc', repository: 'r', ref: 'main' }, rollbackOf: null },
    ])
    expect(applies.nodes[0]?.scope).toContainEqual({ type: 'services', state: 'managed' })

    const { apply } = await server.data(`query ($uuid: ID!) { apply(uuid: $uuid) { changes } }`, { uuid: applyId })
    expect(apply).toStrictEqual({ changes: applyImport.changes })
    expect(applyImport.changes).toMatchObject([{ key: 'climate', action: 'create', before: null }, { key: 'metering' }])

    type Rollback = { rollbackPlan: { json: Plan; document: object; settings: object } }
    const { rollbackPlan } = await server.data<Rollback>(
      `query ($apply: ID!, $settings: JSON) { rollbackPlan(apply: $apply, settings: $settings) { json document settings } }`,
      { apply: applyId, settings: { protect: [] } },
    )
    expect(rollbackPlan).toMatchObject({ document: {}, settings: { protect: [] }, json: { summary: { delete: 2 } } })
    const { json: plan, ...rest } = rollbackPlan
    await server.data(APPLY, { ...rest, plan, origin: { rollbackOf: applyId } })
    expect(await server.data(`{ services { totalCount } }`)).toStrictEqual({ services: { totalCount: 0 } })

    const page = await server.data<History>(HISTORY, { first: 1 })
    expect(page.applies).toMatchObject({ nodes: [{ rollbackOf: applyId }], pageInfo: { hasNextPage: true } })
    const next = await server.data<History>(HISTORY, { first: 1, after: page.applies.pageInfo.endCursor })
    expect(next.applies).toMatchObject({ nodes: [{ uuid: applyId }], pageInfo: { hasNextPage: false } })
  })

  it('exports only the types that are asked for', async () => {
    const { importDocument } = await server.data<{ importDocument: object }>(
      `query ($types: [RecordType!]) { importDocument(recordTypes: $types) }`,
      { types: ['services', 'users'] },
    )
    expect(Object.keys(importDocument)).toStrictEqual(['services', 'users'])
    const all = await server.data<{ importDocument: object }>(`{ importDocument }`)
    expect(Object.keys(all.importDocument)).toHaveLength(12)
  })

  it('an apply of a plan that is out of date is refused by name', async () => {
    const create = { dataSources: [{ code: 'weather' }] }
    const { planImport } = await server.data<Planned>(PLAN, { document: create })
    await server.data(`mutation { createDataSource(input: {code: "weather", name: "Other"}) { recordKey } }`)
    const { errors } = await server.graphql(APPLY, { document: create, plan: planImport.json })
    expect(errors).toMatchObject([
      { path: ['applyImport'], extensions: { code: 'STALE_PLAN', details: [{ type: 'dataSources', key: 'weather' }] } },
    ])
  })

  it('a document with errors is refused with all of them', async () => {
    const { errors } = await server.graphql(PLAN, { document: { services: [{ code: 1 }, { name: 'x' }] } })
    expect(errors?.[0]?.extensions['code']).toBe('BAD_USER_INPUT')
    expect(errors?.[0]?.extensions['details']).toHaveProperty('length', 3)
  })

  it.each([
    ['an apply that is no UUID', `{ apply(uuid: "x") { uuid } }`, 'BAD_USER_INPUT'],
    ['a rollback of nothing', `{ rollbackPlan(apply: "00000000-0000-4000-8000-000000000000") { json } }`, 'NOT_FOUND'],
    ['settings that are none', `{ planImport(document: {}, settings: {protect: 1}) { digest } }`, 'BAD_USER_INPUT'],
    [
      'an applyId that is no UUID',
      `mutation { applyImport(document: {}, plan: {}, origin: {applyId: "x"}) { uuid } }`,
      'BAD_USER_INPUT',
    ],
    ['a plan that is none', `mutation { applyImport(document: {}, plan: {}) { uuid } }`, 'BAD_USER_INPUT'],
    ['a page that is too long', `{ applies(first: 1001) { nodes { uuid } } }`, 'LIMIT_EXCEEDED'],
  ])('refuses %s', async (_, query, code) => {
    expect((await server.graphql(query)).errors).toMatchObject([{ extensions: { code } }])
  })

  it('refuses a long text of an origin, and names it', async () => {
    const origin = { ref: 'main', pullRequest: 'x'.repeat(501) }
    const { errors } = await server.graphql(APPLY, { document: {}, plan: {}, origin })
    const [details] = (errors ?? []).map(({ extensions }) => extensions['details'])
    expect(details).toMatchObject([{ pointer: '/origin/pullRequest', code: 'LIMIT_EXCEEDED' }])
  })

  it('an apply that does not exist is null', async () => {
    expect(await server.data(`{ apply(uuid: "00000000-0000-4000-8000-000000000000") { uuid } }`)).toStrictEqual({
      apply: null,
    })
  })
})
