import { isNonNullType } from 'graphql'
import { beforeAll, describe, expect, it } from 'vitest'
import { SCHEMA } from '../../src/server/graphql/schema.ts'
import { giveToken, makeMachine } from '../support/access.ts'
import { applyAll } from '../support/domain.ts'
import { MODEL } from '../platform/systems/site.ts'
import { context, server, useServer } from './one-server.ts'

// What is left of an answer if one of its fields fails.

describe('an operation that fails', () => {
  useServer()
  beforeAll(() => applyAll(context, MODEL))

  it('leaves the results of the mutations before and after it', async () => {
    const [uuid, other] = [crypto.randomUUID(), crypto.randomUUID()]
    const answer = await server.graphql(`mutation {
      a: createSystem(input: { uuid: "${uuid}", name: "House" }) { uuid name }
      b: createSystem(input: { uuid: "${uuid}", name: "Hut" }) { uuid }
      c: createSystem(input: { uuid: "${other}", name: "Barn" }) { name }
    }`)
    expect(answer).toMatchObject({
      data: { a: { uuid, name: 'House' }, b: null, c: { name: 'Barn' } },
      errors: [
        {
          path: ['b'],
          message: `the system ${uuid} is stored with another name ("House"); change it by updateSystem, or choose another uuid`,
          extensions: { code: 'CONFLICT' },
        },
      ],
    })
  })

  it('leaves the results of the queries that the sender may use', async () => {
    const token = await giveToken(context, await makeMachine(context, 'asker'), { scope: 'openid' })
    const answer = await server.call({
      authorization: `Bearer ${token}`,
      body: JSON.stringify({ query: '{ me { rights } currentDomain { name } services { totalCount } }' }),
    })
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({
      data: { me: { rights: ['self:read'] }, currentDomain: null, services: null },
      errors: [
        { path: ['currentDomain'], extensions: { code: 'FORBIDDEN' } },
        { path: ['services'], extensions: { code: 'FORBIDDEN' } },
      ],
    })
  })

  it('erases the others only where clients rely on a type that is never null', () => {
    const roots = [SCHEMA.getQueryType(), SCHEMA.getMutationType()]
    const fields = roots.flatMap((root) => Object.values(root?.getFields() ?? {}))
    expect(fields.filter(({ type }) => isNonNullType(type)).map(({ name }) => name)).toStrictEqual([
      'planImport',
      'importDocument',
      'createApplicationConsumer',
      'applyImport',
      'createOpenIdDelegatedAuthenticationMethod',
    ])
  })
})
