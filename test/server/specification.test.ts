import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DATABASES } from '../support/databases.ts'
import { HOSTS, startTestServer, type TestServer } from './test-server.ts'

// The operations that the specification (section 4) shows, as a client would send them.

describe.each(DATABASES)('the operations of the specification on $name', ({ openMigrated }) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer(await openMigrated())
  })
  afterAll(() => server.close())

  it('createApplicationConsumer', async () => {
    const { createApplicationConsumer: created } = await server.data<{
      createApplicationConsumer: { uuid: string; identifier: string }
    }>(`
      mutation {
        createApplicationConsumer(
          name: "My application"
          slug: "my-application"
          secret: "my-secret-that-nobody-guesses"
          grantTypes: [AUTHORIZATION_CODE, REFRESH_TOKEN]
          defaultRedirectUri: "https://my.application/callback"
          redirectUris: ["https://my.application/callback", "https://my.application/other"]
          scopes: ["my-service", "email"]
        ) {
          uuid identifier secret defaultRedirectUri redirectUris status grantTypes name slug scopes
        }
      }`)
    expect(created).toStrictEqual({
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      identifier: `my-application.${created.uuid.slice(0, 8)}`,
      secret: 'my-secret-that-nobody-guesses',
      defaultRedirectUri: 'https://my.application/callback',
      redirectUris: ['https://my.application/callback', 'https://my.application/other'],
      status: 'ACTIVATED',
      grantTypes: ['AUTHORIZATION_CODE', 'REFRESH_TOKEN'],
      name: 'My application',
      slug: 'my-application',
      scopes: ['email', 'my-service'],
    })
  })

  it('createApplicationConsumer without what may be left out', async () => {
    const query = `mutation { createApplicationConsumer(name: "A", slug: "a", secret: "my-secret-that-nobody-guesses", grantTypes: [PASSWORD]) { defaultRedirectUri redirectUris scopes } }`
    expect(await server.data(query)).toStrictEqual({
      createApplicationConsumer: { defaultRedirectUri: null, redirectUris: null, scopes: null },
    })
  })

  it('createApplicationConsumer that makes no sense', async () => {
    const { data, errors } = await server.graphql(
      `mutation { createApplicationConsumer(name: "B", slug: "b", secret: "my-secret-that-nobody-guesses", grantTypes: [AUTHORIZATION_CODE]) { uuid } }`,
    )
    expect(data).toBeNull()
    expect(errors).toMatchObject([
      { extensions: { code: 'BAD_USER_INPUT', details: [{ code: 'redirect-uri-missing' }] } },
    ])
  })

  it('currentDomain', async () => {
    const [domain] = server.domains
    expect(await server.data(`query { currentDomain { uuid name hostNames } }`)).toStrictEqual({
      currentDomain: { uuid: domain?.uuid, name: 'The first', hostNames: [HOSTS.first, '127.0.0.1'] },
    })
  })
})
