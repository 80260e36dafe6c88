import type { KoaContextWithOIDC } from 'oidc-provider'
import { expect, it } from 'vitest'
import { existingGrant } from '../../../src/server/oidc/configuration.ts'

const GRANT = { accountId: 'ann', clientId: 'portal' }

/** A request of a client for an account, in a session that remembers `GRANT`. */
function request(accountId: string, clientId: string): KoaContextWithOIDC {
  const session = { grantIdFor: () => 'remembered' }
  const provider = { Grant: { find: (id: string) => Promise.resolve(id === 'remembered' ? GRANT : undefined) } }
  return { oidc: { provider, session, client: { clientId }, account: { accountId } } } as unknown as KoaContextWithOIDC
}

it('what was allowed before is remembered', async () => {
  expect(await existingGrant(request('ann', 'portal'))).toBe(GRANT)
})

it.each([
  ['bob', 'portal'],
  ['ann', 'another'],
])('and not for %s at %s, whatever the session says', async (accountId, clientId) => {
  expect(await existingGrant(request(accountId, clientId))).toBeUndefined()
})
