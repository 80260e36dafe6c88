import { expect, test } from 'vitest'
import { loadedOnce } from '../../src/lib/loaded-once.ts'
import { errorFields } from '../../src/server/logger.ts'
import { joinedClaims } from '../../src/server/login/external/external-login.ts'

test('a failed load is tried again, and a good one is kept', async () => {
  let loads = 0
  const load = loadedOnce(() => {
    loads += 1
    return loads === 1 ? Promise.reject(new Error('no file')) : Promise.resolve(loads)
  })
  await expect(load()).rejects.toThrow('no file')
  expect([await load(), await load()]).toEqual([2, 2])
})

test('an error that is its own cause is logged', () => {
  const inner = new Error('inner')
  const outer = new Error('outer', { cause: inner })
  inner.cause = outer
  expect(errorFields(outer)).toMatchObject({ error: { message: 'outer', cause: { error: { message: 'inner' } } } })
})

test('claims of the ID token vouch for no address that userinfo told', () => {
  const claims = { sub: 'a', name: 'A', email_verified: true, xms_edov: true }
  const told = { sub: 'a', email: 'ann@example.org' }
  expect(joinedClaims(claims, told)).toEqual({ sub: 'a', name: 'A', email: 'ann@example.org' })
  expect(joinedClaims({ sub: 'a' }, { ...told, xms_edov: '1' })).toMatchObject({ xms_edov: '1' })
})
