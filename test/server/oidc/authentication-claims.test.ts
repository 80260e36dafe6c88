import { expect, it } from 'vitest'
import { adaptIdToken, adaptSession } from '../../../src/server/oidc/authentication-claims.ts'

// A release of oidc-provider that has other methods than those that are replaced must not pass for this one.

const method = () => undefined as never

it.each(['authTime', 'past'])('a session without the method %s is not adapted', (missing) => {
  const prototype = { authTime: method, past: (_: unknown) => true }
  Reflect.deleteProperty(prototype, missing)
  expect(() => adaptSession({ prototype }, { now: () => new Date() })).toThrow(
    `oidc-provider has changed: its method ${missing}`,
  )
})

it('an ID token without the method payload is not adapted', () => {
  const prototype = { available: {} } as unknown as Parameters<typeof adaptIdToken>[0]['prototype']
  expect(() => adaptIdToken({ prototype })).toThrow('oidc-provider has changed: its method payload')
})
