import { describe, expect, it } from 'vitest'
import { DataKey } from '../../../src/platform/data-key.ts'
import { bindingCookieName, bindingValue, csrfToken, isBound, isCsrfToken } from '../../../src/server/login/binding.ts'
import { DEVICE_SECONDS, knownDevice, rememberDevice } from '../../../src/server/login/guard/known-device.ts'

const NOW = Date.parse('2026-01-01T00:00:00Z')

function placeAt(milliseconds = NOW, domainUuid = 'a', key = 1) {
  const domain = { id: 1, uuid: domainUuid, slug: 'a', name: 'A', hostNames: [] }
  return { domain, key: new DataKey(new Uint8Array(32).fill(key)), now: () => new Date(milliseconds) }
}

const place = placeAt()

describe('an interaction', () => {
  it('belongs to the browser that has its cookie', () => {
    expect(isBound(place, 'interaction-1', bindingValue(place, 'interaction-1'))).toBe(true)
  })

  it.each([
    ['no cookie', undefined],
    ['an empty one', ''],
    ['that of another interaction', bindingValue(place, 'interaction-2')],
    ['that of another domain', bindingValue(placeAt(NOW, 'b'), 'interaction-1')],
    ['one made with another key', bindingValue(placeAt(NOW, 'a', 2), 'interaction-1')],
    ['its CSRF token', csrfToken(place, 'interaction-1')],
  ])('does not belong to one with %s', (_, cookie) => {
    expect(isBound(place, 'interaction-1', cookie)).toBe(false)
  })

  it('has a CSRF token of its own', () => {
    expect(isCsrfToken(place, 'interaction-1', csrfToken(place, 'interaction-1'))).toBe(true)
    expect(isCsrfToken(place, 'interaction-1', csrfToken(place, 'interaction-2'))).toBe(false)
    expect(isCsrfToken(place, 'interaction-1', bindingValue(place, 'interaction-1'))).toBe(false)
    expect(isCsrfToken(place, 'interaction-1', undefined)).toBe(false)
  })

  it('has a cookie of its own, which under TLS no other host can set', () => {
    expect(bindingCookieName('interaction-1', true)).toBe('__Host-holdfast-login-interaction-1')
    expect(bindingCookieName('interaction-1', false)).toBe('holdfast-login-interaction-1')
  })
})

describe('a browser', () => {
  const cookie = rememberDevice(place, undefined, 'ann@example.org')
  const [device] = cookie.split('.')

  it('is known for the account that signed in with it, however that is spelt', () => {
    expect(knownDevice(place, cookie, ' Ann@Example.org')).toBe(device)
  })

  it.each([
    ['another account', place, cookie, 'bob@example.org'],
    ['another domain', placeAt(NOW, 'b'), cookie, 'ann@example.org'],
    ['another key', placeAt(NOW, 'a', 2), cookie, 'ann@example.org'],
    ['after a year', placeAt(NOW + DEVICE_SECONDS * 1000), cookie, 'ann@example.org'],
    ['with another id', place, `${'x'.repeat(22)}${cookie.slice(22)}`, 'ann@example.org'],
    ['with a later end', place, cookie.replace(/\.\d+-/, '.9999999999-'), 'ann@example.org'],
    ['without a cookie', place, undefined, 'ann@example.org'],
    ['with nonsense for a cookie', place, '..', 'ann@example.org'],
  ])('is not known for/in %s', (_, elsewhere, given, login) => {
    expect(knownDevice(elsewhere, given, login)).toBeNull()
  })

  it('is known for the last five accounts, under one id', () => {
    const logins = ['a', 'b', 'c', 'd', 'e', 'f', 'f']
    const full = logins.reduce((before: string | undefined, login) => rememberDevice(place, before, login), undefined)
    expect(logins.map((login) => knownDevice(place, full, login) !== null)).toStrictEqual([
      false,
      true,
      true,
      true,
      true,
      true,
      true,
    ])
    expect(full?.length).toBeLessThan(400)
  })
})
