import { beforeEach, expect, it } from 'vitest'
import { personOfIdentity } from '../../../../src/platform/access/delegated/identity/external-identity.ts'
import { unbindIdentity } from '../../../../src/platform/access/delegated/identity/identities.ts'
import {
  createDelegatedMethod,
  deleteMethod,
  updateMethod,
  type DelegatedMethod,
} from '../../../../src/platform/access/methods/methods.ts'
import { identifyBearer } from '../../../../src/platform/access/sessions/identify-bearer.ts'
import { narrowToken } from '../../../../src/platform/access/sessions/narrow-token.ts'
import { tokenOfSession } from '../../../support/browser-session.ts'
import { setGrants } from '../../../support/grants.ts'
import { oneDomain } from '../../one-domain.ts'

// The token that the console shows for a first datapoint comes out of a sign-in, and ends with it.

const ISSUER = 'https://login.example.com'
const domain = oneDomain()

let method: DelegatedMethod
let identity: string
let narrow: string
beforeEach(async () => {
  const configuration = { clientId: 'us', issuer: ISSUER }
  method = await createDelegatedMethod(domain(), { status: 'ACTIVATED', configuration })
  await setGrants(domain(), [
    { role: 'operator', identities: { issuer: ISSUER, clientId: 'us', claims: { group: 'a' } } },
  ])
  const claims = { iss: ISSUER, sub: 'ada', group: 'a', email: 'ada@example.com', email_verified: true }
  const met = await personOfIdentity(domain(), method, claims)
  identity = met.identity
  const token = await tokenOfSession(domain(), method, met)
  narrow = (await narrowToken(domain(), token, { scope: 'datapoints:write', seconds: 600 })) ?? ''
})

it('may send datapoints by a grant to claims, and nothing else', async () => {
  const actor = await identifyBearer(domain(), narrow)
  expect([...(actor?.rights ?? [])]).toStrictEqual(['self:read', 'datapoints:write'])
})

it.each([
  ['the method is DEACTIVATED', () => updateMethod(domain(), method.uuid, { status: 'DEACTIVATED' })],
  ['the method is deleted', () => deleteMethod(domain(), method.uuid)],
  ['the identity is unbound', () => unbindIdentity(domain(), identity)],
])('ends when %s', async (_, end) => {
  await end()
  expect(await identifyBearer(domain(), narrow)).toBeNull()
})
