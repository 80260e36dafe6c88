import { expect, it } from 'vitest'
import { problemText } from '../../../src/server/login/problem-text.ts'

it('a word of ours stands for a sentence', () => {
  expect(problemText('wrong')).toBe('The user name or the password is not right.')
})

it.each([null, '', 'constructor', 'toString', '__proto__', 'Your account is locked: call 555'])(
  'an address that says %j says nothing',
  (word) => expect(problemText(word)).toBeUndefined(),
)
