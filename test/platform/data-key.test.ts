import { describe, expect, it } from 'vitest'
import { DataKey } from '../../src/platform/data-key.ts'

const key = new DataKey(new Uint8Array(32).fill(1))
const another = new DataKey(new Uint8Array(32).fill(2))

const DOES_NOT_OPEN = /cannot be decrypted/

describe('what is sealed', () => {
  const sealed = key.seal('a secret: ü', 'here')

  it('opens where it belongs', () => {
    expect(key.unseal(sealed, 'here')).toBe('a secret: ü')
  })

  it('opens nowhere else, nor with another key', () => {
    expect(() => key.unseal(sealed, 'there')).toThrow(DOES_NOT_OPEN)
    expect(() => another.unseal(sealed, 'here')).toThrow(DOES_NOT_OPEN)
  })

  it('does not open once any part of it is another one, or is not there', () => {
    for (const index of sealed.keys()) {
      const changed = sealed.map((byte, at) => (at === index ? byte ^ 1 : byte))
      expect(() => key.unseal(changed, 'here')).toThrow(DOES_NOT_OPEN)
      expect(() => key.unseal(sealed.subarray(0, index), 'here')).toThrow(DOES_NOT_OPEN)
    }
  })

  it('is never the same twice', () => {
    expect(key.seal('a secret: ü', 'here')).not.toStrictEqual(sealed)
  })
})

it('each purpose has a key of its own, always the same one', () => {
  expect(key.derive('one')).toStrictEqual(new DataKey(new Uint8Array(32).fill(1)).derive('one'))
  expect(key.derive('one')).not.toStrictEqual(key.derive('two'))
  expect(key.derive('one')).not.toStrictEqual(another.derive('one'))
})
