import { expect, it } from 'vitest'
import type { FederationRule } from '../../../src/auth/token-rules.ts'
import type { GraphqlClient } from '../../../src/client/graphql-client.ts'
import { HoldfastError } from '../../../src/lib/errors.ts'
import { ensureRules } from '../../../src/reconcile/trust/ensure-rules.ts'
import { CHANGE_RULES, CREATE_METHOD, METHODS } from '../../../src/reconcile/trust/trust-queries.ts'

const TRUST = { name: 'GitHub', issuer: 'https://a.example', audience: 'https://b.example', repository: {}, rules: [] }

function rule(name: string): FederationRule {
  return { name, claims: { repository: `acme/${name}` }, machineUser: name, scopes: ['openid'] }
}

type Rules = readonly FederationRule[]

/** A platform that answers in the order of the requests, with a method that has these rules, or with none yet. */
function platform(rules: Rules | null) {
  let present = rules
  const found = () => {
    const own = present ?? []
    const configuration = { clientId: TRUST.audience, issuer: TRUST.issuer, rules: own, effectiveRules: own }
    return { uuid: 'a', name: TRUST.name, status: 'ACTIVATED', configuration }
  }
  const request = async (
    query: string,
    given: { readonly rules?: Rules; readonly before?: Rules; readonly configuration?: { rules: Rules } },
  ) => {
    if (given.before !== undefined && JSON.stringify(given.before) !== JSON.stringify(present))
      throw new HoldfastError('CONFLICT', 'the method has other rules now')
    if (query === CREATE_METHOD && present !== null) throw new HoldfastError('CONFLICT', 'there is one already')
    if (query !== METHODS) present = given.rules ?? given.configuration?.rules ?? []
    return { authenticationMethods: present === null ? [] : [found()] }
  }
  const names = () => present?.map(({ name }) => name).sort()
  return { found, request: request as unknown as GraphqlClient, names }
}

it('keeps the rules that another command adds at the same time', async () => {
  const { found, request, names } = platform([rule('before')])
  const before = found()
  const ensure = (name: string) => ensureRules(request, TRUST, [rule(name)], before)
  expect(await Promise.all([ensure('one'), ensure('other')])).toMatchObject([
    [{ done: 'changed' }],
    [{ done: 'changed' }],
  ])
  expect(names()).toStrictEqual(['before', 'one', 'other'])
})

it('keeps the rules that another command adds between its look and its change', async () => {
  const { found, request, names } = platform([rule('before')])
  const before = found()
  const ended = Promise.withResolvers<void>()
  let isFirst = true
  const late = (async (query: string, given: { readonly [name: string]: unknown }) => {
    if (query === CHANGE_RULES && isFirst) await ended.promise
    if (query === CHANGE_RULES) isFirst = false
    return request(query, given)
  }) as unknown as GraphqlClient
  const ensuring = ensureRules(late, TRUST, [rule('late')], before)
  await ensureRules(request, TRUST, [rule('early')], before)
  ended.resolve()
  await ensuring
  expect(names()).toStrictEqual(['before', 'early', 'late'])
})

it('adds its rules to the method that another command creates at the same time', async () => {
  const { request, names } = platform(null)
  const ensure = (name: string) => ensureRules(request, TRUST, [rule(name)], null)
  expect(await Promise.all([ensure('one'), ensure('other')])).toMatchObject([[{ done: 'made' }], [{ done: 'changed' }]])
  expect(names()).toStrictEqual(['one', 'other'])
})

it('fails if the platform does not create the method for another reason', async () => {
  const { request } = platform(null)
  const refusing = (query: string) =>
    query === CREATE_METHOD ? Promise.reject(new HoldfastError('CONFLICT', 'of another kind')) : request(query, {})
  const ensuring = ensureRules(refusing as GraphqlClient, TRUST, [rule('one')], null)
  await expect(ensuring).rejects.toThrow('of another kind')
})
