import { expect, it } from 'vitest'
import { nameIn } from '../../../../../src/platform/access/delegated/identity/told-identity.ts'

it('a long name ends with a whole character, since PostgreSQL stores no half of one', () => {
  const name = nameIn({ name: `${'x'.repeat(199)}😀` })
  expect(name).toBe(`${'x'.repeat(199)}\uFFFD`)
  expect(nameIn({ name: 'half \uD83D of one' })).toBe('half \uFFFD of one')
})
