import { describe, expect, it } from 'vitest'
import { missingRight, requireRight, type Caller } from '../../src/auth/require-right.ts'
import { isScope, RIGHTS, rightsOf, SCOPES, scopesGiving } from '../../src/auth/scopes.ts'

describe('scopes', () => {
  it('service gives every right', () => {
    expect([...rightsOf(['service'])].sort()).toEqual(RIGHTS.toSorted())
  })

  it.each([
    ['openid', ['self:read']],
    ['email', ['self:read']],
    ['model:plan', ['domain:read', 'model:plan', 'self:read']],
    ['datapoints:write', ['datapoints:write', 'self:read']],
    ['setpoints:write', ['self:read', 'setpoints:write']],
    ['nobody-knows', []],
    ['toString', []],
  ])('%s gives %j and nothing else', (scope, rights) => {
    expect([...rightsOf([scope])].sort()).toEqual(rights)
  })

  it('say so where they can give anybody every right', () => {
    const giving = Object.values(SCOPES).filter(({ rights }) =>
      rights.some((right) => right === 'access:admin' || right === 'access:apply'),
    )
    expect(giving).toHaveLength(3)
    for (const { allows } of giving) expect(allows).toMatch(/every right to anybody|everything that the API/)
  })

  it('give together what each of them gives', () => {
    expect([...rightsOf(['model:plan', 'openid', 'data:read'])].sort()).toEqual([
      'data:read',
      'domain:read',
      'model:plan',
      'self:read',
    ])
  })

  it('who signs in is decided with the scopes that say so, and with no other', () => {
    expect(scopesGiving('access:admin')).toEqual(['access:admin', 'service'])
    expect(scopesGiving('model:apply')).toEqual(['model:apply', 'service'])
  })

  it.each(RIGHTS)('%s is given by the scopes that are named for it, the narrowest first', (right) => {
    const scopes = scopesGiving(right)
    expect(scopes.toSorted()).toEqual(
      Object.keys(SCOPES)
        .filter((scope) => rightsOf([scope]).has(right))
        .toSorted(),
    )
    expect(scopes.at(-1)).toBe('service')
    expect(scopes.every(isScope)).toBe(true)
  })
})

/** An administrator with a token of these scopes. */
function callerWith(scopes: readonly string[]): Caller {
  const roles = [{ role: 'administrator', within: null }] as const
  return { scopes, rights: rightsOf(scopes), rightsWithin: new Set(), roles, isDevice: false }
}

describe('whoever lacks a right', () => {
  const caller = callerWith(['openid', 'model:plan'])

  it('is told which scopes would give it, and which there are', () => {
    expect(missingRight('applyImport', 'model:apply', caller)).toEqual({
      enough: ['model:apply', 'service'],
      role: null,
      message: 'applyImport needs a token with the scope model:apply or service; this one has only openid model:plan',
    })
    expect(() => requireRight('applyImport', 'model:apply', caller)).toThrow(
      expect.objectContaining({
        code: 'FORBIDDEN',
        details: [{ right: 'model:apply', scopes: ['model:apply', 'service'] }],
      }),
    )
  })

  it('is told that there is no scope at all', () => {
    const message = missingRight('x', 'data:read', callerWith([]))?.message
    expect(message).toMatch(/; this one has no scope$/)
  })

  it('is not whoever has it', () => {
    expect(missingRight('planImport', 'model:plan', caller)).toBeNull()
  })
})
