import { expect, it } from 'vitest'
import { isGithubActions } from '../../src/auth/github-actions.ts'
import { adviceOn, completeConfiguration } from '../../src/auth/method-configuration.ts'
import { strangersProblem } from '../../src/auth/shared-issuers.ts'

const apply = (claims: { readonly [claim: string]: string }) => [
  { name: 'apply', claims, machineUser: 'm', scopes: ['model:apply'] },
]

it.each([
  'https://codeberg.org/api/actions',
  'https://forge.example.com/api/actions',
  'https://example.com/git/api/actions',
])('a rule for jobs of %s must name a repository or its owner', (issuer) => {
  expect(strangersProblem(issuer, apply({ event_name: 'push' }))).toContain('every repository on that server')
  expect(strangersProblem(issuer, apply({ event_name: 'push', repository_id: '1' }))).toBeNull()
})

it.each([
  'https://accounts.google.com',
  'https://gitlab.com',
  'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0',
])('an address is no claim that strangers cannot have at %s', (issuer) => {
  expect(strangersProblem(issuer, apply({ email: 'boss@example.com' }))).toMatch(/one of the claims (?!.*email)/)
  expect(strangersProblem(issuer, apply({ email: 'boss@example.com', sub: '1' }))).toBeNull()
})

const adviceFor = (claims: { readonly [claim: string]: string }) =>
  adviceOn({
    ...completeConfiguration({ clientId: 'c', issuer: 'https://codeberg.org/api/actions' }),
    rules: apply(claims),
  })

it('an ACTIVATED method of an earlier release with such a rule gets advice', () => {
  expect(adviceFor({ event_name: 'push' })).toContain('the rule "apply" would let in strangers')
  expect(adviceFor({ event_name: 'push', repository_id: '1' })).toBeNull()
})

it.each([
  ['https://token.actions.githubusercontent.com', true],
  ['https://token.actions.githubusercontent.com/octo-enterprise', true],
  ['https://token.actions.octocorp.ghe.com', true],
  ['https://github.example.com/_services/token', true],
  ['https://token.actions.octocorp.ghe.com.evil.test', false],
])('%s is an issuer of GitHub Actions: %s', (issuer, is) => {
  expect(isGithubActions(issuer)).toBe(is)
})
