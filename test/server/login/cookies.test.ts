import { describe, expect, it } from 'vitest'
import { DataKey } from '../../../src/platform/data-key.ts'
import { bindingOf, browserCookie, csrfToken, isBound, isBrowser } from '../../../src/server/login/binding.ts'
import { DEVICE_SECONDS, knownDevice, rememberDevice } from '../../../src/server/login/guard/known-device.ts'

const NOW = Date.parse('2026-01-01T00:00:00Z')

function placeAt(milliseconds = NOW, domainUuid = 'a', key = 1) {
  const domain = { id: 1, uuid: domainUuid, slug: 'a', name: 'A', hostNames: [] }
  return { domain, key: new DataKey(new Uint8Array(32).fill(key)), now: () => new Date(milliseconds) }
}

const place = placeAt()

const [BROWSER, OTHER] = ['b'.repeat(43), 'o'.repeat(43)] as const

describe('an interaction', () => {
  it('belongs to the browser that has its cookie', () => {
    expect(isBound(place, bindingOf(place, BROWSER), BROWSER)).toBe(true)
  })

  it.each([
    ['no cookie', bindingOf(place, BROWSER), undefined],
    ['an empty one', bindingOf(place, ''), ''],
    ['that of another browser', bindingOf(place, OTHER), BROWSER],
    ['that of another domain', bindingOf(placeAt(NOW, 'b'), BROWSER), BROWSER],
    ['one made with another key', bindingOf(placeAt(NOW, 'a', 2), BROWSER), BROWSER],
    ['what is stored for a cookie', bindingOf(place, BROWSER), bindingOf(place, BROWSER)],
    ['a cookie where none is stored', undefined, BROWSER],
  ])('does not belong to one with %s', (_, binding, cookie) => {
    expect(isBound(place, binding, cookie)).toBe(false)
  })

  it('has a CSRF token of its own in each browser', () => {
    const tokens = [
      csrfToken(place, 'interaction-1', BROWSER),
      csrfToken(place, 'interaction-2', BROWSER),
      csrfToken(place, 'interaction-1', OTHER),
      bindingOf(place, BROWSER),
    ]
    expect(new Set(tokens).size).toBe(tokens.length)
  })
})

describe('the cookie that names a browser', () => {
  it('stays as the browser has sent it, and anything else is replaced', () => {
    expect(browserCookie(() => BROWSER, false).value).toBe(BROWSER)
    for (const sent of [undefined, '', 'short', `${BROWSER};`]) {
      const { value } = browserCookie(() => sent, false)
      expect([value === sent, isBrowser(value)]).toStrictEqual([false, true])
    }
  })

  it('under TLS no other host can set', () => {
    expect(browserCookie(() => undefined, true).name).toBe('__Host-holdfast-browser')
    expect(browserCookie(() => undefined, false).name).toBe('holdfast-browser')
  })
})

const marked = (login: string, stamp = 'first') => ({ login, stamp })

describe('a browser', () => {
  const cookie = rememberDevice(place, undefined, marked('ann@example.org'))
  const [device] = cookie.split('.')

  it('is known for the account that signed in with it, however that is spelt', () => {
    expect(knownDevice(place, cookie, marked(' Ann@Example.org'))).toBe(device)
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
    expect(knownDevice(elsewhere, given, marked(login))).toBeNull()
  })

  it('is not known after the account has got another password', () => {
    expect(knownDevice(place, cookie, marked('ann@example.org', 'second'))).toBeNull()
    const again = rememberDevice(place, cookie, marked('ann@example.org', 'second'))
    expect(knownDevice(place, again, marked('ann@example.org', 'second'))).toBe(device)
  })

  it('is known for the last five accounts, under one id', () => {
    const logins = ['a', 'b', 'c', 'd', 'e', 'f', 'f']
    const full = logins.reduce(
      (before: string | undefined, login) => rememberDevice(place, before, marked(login)),
      undefined,
    )
    expect(logins.map((login) => knownDevice(place, full, marked(login)) !== null)).toStrictEqual([
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
