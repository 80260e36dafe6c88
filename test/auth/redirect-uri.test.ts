import { describe, expect, it } from 'vitest'
import { needsPkce, redirectUriProblem, servesRedirect } from '../../src/auth/redirect-uri.ts'

describe('a redirect URI', () => {
  it.each([
    ['https://app.example/callback', false],
    ['HTTPS://app.example:8443/callback?tenant=1', false],
    ['http://localhost:3000/callback', false],
    ['http://127.0.0.1:7000/callback', false],
    ['http://[::1]/callback', false],
    ['com.example.app:/callback', true],
    ['com.example.app://callback', true],
  ])('%s is taken; it needs PKCE: %s', (uri, pkce) => {
    expect([redirectUriProblem(uri), servesRedirect(uri), needsPkce(uri)]).toStrictEqual([null, true, pkce])
  })

  it.each([
    ['http://app.example/callback', 'unencrypted', true],
    ['http://localhost.evil.example/callback', 'unencrypted', true],
    ['http://localhost@evil.example/callback', 'unencrypted', true],
    ['http://127.0.0.2/callback', 'unencrypted', true],
    ['myapp:/callback', 'com.example.app:/callback', true],
    ['urn:ietf:wg:oauth:2.0:oob', 'com.example.app:/callback', true],
    ['https://*.example.com/callback', 'wildcard', true],
    ['https:app.example/callback', 'names no host', true],
    ['javascript:alert(1)', 'the scheme javascript', false],
    ['JavaScript:alert(1)', 'the scheme javascript', false],
    ['java\tscript:alert(1)', 'the scheme javascript', false],
    ['data:text/html,x', 'the scheme data', false],
    ['file:///etc/passwd', 'the scheme file', false],
    ['https://app.example:99999/callback', 'cannot be opened', false],
    ['https://app.example/callback#here', 'has a fragment', false],
    ['com.example.app:/callback#here', 'has a fragment', false],
    ['/callback', 'cannot be opened', false],
  ])('%s is refused: %s; one that is stored serves: %s', (uri, why, serves) => {
    expect(redirectUriProblem(uri)).toContain(why)
    expect(servesRedirect(uri)).toBe(serves)
  })

  it.each(['http://app.example/callback', 'myapp:/callback'])('%s of an earlier release needs PKCE', (uri) => {
    expect(needsPkce(uri)).toBe(true)
  })
})
