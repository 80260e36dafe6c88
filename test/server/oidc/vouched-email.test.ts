import { beforeEach, expect, it } from 'vitest'
import { deleteMethod, updateMethod, type DelegatedMethod } from '../../../src/platform/access/methods/methods.ts'
import { AUDIENCE } from '../../support/company.ts'
import { createUser } from '../identities-world.ts'
import { post } from './application.ts'
import { useWorld, world } from '../one-world.ts'

// Which e-mail addresses applications are told as verified: many let in as its owner whoever brings one.

let method: DelegatedMethod
useWorld()
beforeEach(async () => {
  method = await world.trust()
  return () => deleteMethod(world.servers[0].access, method.uuid)
})

const change = (configuration: object) => updateMethod(world.servers[0].access, method.uuid, { configuration })

const tokenOf = (name: string) => world.company.sign({ sub: name, email: `${name}@bank.example`, email_verified: true })

/** What the platform says of who brings a token of the company. */
async function told(token: string, clientId = AUDIENCE): Promise<unknown> {
  return userinfo(await exchange(token, clientId))
}

async function exchange(token: string, clientId = AUDIENCE): Promise<string> {
  const [server] = world.servers
  const { body } = await post(server.url, '/authenticate/token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    client_id: clientId,
    subject_token: token,
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    scope: 'email',
  })
  return String(body['access_token'])
}

async function userinfo(token: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${world.servers[0].url}/authenticate/userinfo`, { headers })
  const { email, email_verified: isVerified } = (await answer.json()) as { [claim: string]: unknown }
  return [email, isVerified]
}

it('that of a provider which is trusted for no addresses, or for others, is not', async () => {
  await change({ scopes: ['email'] })
  expect(await told(await tokenOf('ceo'))).toStrictEqual(['ceo@bank.example', false])
  await change({ emailDomains: ['corp.example'] })
  expect(await told(await tokenOf('ceo'))).toStrictEqual(['ceo@bank.example', false])
})

it('that of a provider which is trusted for it is, as long as it says so', async () => {
  await change({ scopes: ['email'], emailDomains: ['bank.example'] })
  expect(await told(await tokenOf('teller'))).toStrictEqual(['teller@bank.example', true])
  const other = { sub: 'teller', email: 'teller@elsewhere.example', email_verified: true }
  expect(await told(await world.company.sign(other))).toStrictEqual(['teller@bank.example', false])
})

it('that of a user of the model is', async () => {
  await createUser(world, 'clerk@bank.example')
  await change({ scopes: ['email'], emailDomains: ['bank.example'] })
  expect(await told(await tokenOf('clerk'))).toStrictEqual(['clerk@bank.example', true])
})

it('a method that has refused somebody, or is switched off, vouches for nothing that another one was told', async () => {
  const { access } = world.servers[0]
  await change({ scopes: ['email'] })
  const rules = [{ name: 'board', claims: { group: 'board' }, scopes: ['email'] }]
  const trusting = await world.trust({ clientId: 'trusting', emailDomains: ['bank.example'], rules })
  const ours = await exchange(await tokenOf('guard'))
  const board = { sub: 'guard', email: 'guard@bank.example', email_verified: true, aud: 'trusting' }
  await exchange(await world.company.sign(board), 'trusting')
  expect(await userinfo(ours)).toStrictEqual(['guard@bank.example', false])
  expect(await told(await world.company.sign({ ...board, group: 'board' }), 'trusting')).toMatchObject({ 1: true })
  await updateMethod(access, trusting.uuid, { status: 'DEACTIVATED' })
  expect(await userinfo(ours)).toStrictEqual(['guard@bank.example', false])
  await deleteMethod(access, trusting.uuid)
})
