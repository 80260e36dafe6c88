import { expect, it } from 'vitest'
import type { FederationRule } from '../../../src/auth/token-rules.ts'
import type { GraphqlClient } from '../../../src/client/graphql-client.ts'
import { ensureRules } from '../../../src/reconcile/trust/ensure-rules.ts'
import { METHODS } from '../../../src/reconcile/trust/trust-queries.ts'

const TRUST = { name: 'GitHub', issuer: 'https://a.example', audience: 'https://b.example', repository: {}, rules: [] }

function rule(name: string): FederationRule {
  return { name, claims: { repository: `acme/${name}` }, machineUser: name, scopes: ['openid'] }
}

/** A platform with one method, which answers in the order of the requests. */
function platform() {
  let rules: readonly FederationRule[] = [rule('before')]
  const found = () => ({
    uuid: 'a',
    name: TRUST.name,
    status: 'ACTIVATED',
    configuration: { clientId: TRUST.audience, issuer: TRUST.issuer, rules, effectiveRules: rules },
  })
  const request = async (query: string, variables: { readonly rules?: readonly FederationRule[] }) => {
    if (query !== METHODS) rules = variables.rules ?? []
    return { authenticationMethods: [found()] }
  }
  return { found, request: request as unknown as GraphqlClient, names: () => rules.map(({ name }) => name).sort() }
}

it('keeps the rules that another command adds at the same time', async () => {
  const { found, request, names } = platform()
  const before = found()
  const ensure = (name: string) => ensureRules(request, TRUST, [rule(name)], before)
  expect(await Promise.all([ensure('one'), ensure('other')])).toMatchObject([
    [{ done: 'changed' }],
    [{ done: 'changed' }],
  ])
  expect(names()).toStrictEqual(['before', 'one', 'other'])
})
