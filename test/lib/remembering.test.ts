import { expect, test } from 'vitest'
import { remembering } from '../../src/lib/remembering.ts'

test('a result is computed once, even if it is false', () => {
  const asked: string[] = []
  const isShort = remembering((text: string) => {
    asked.push(text)
    return text.length < 2
  })
  expect(['a', 'long', 'a', 'long'].map(isShort)).toEqual([true, false, true, false])
  expect(asked).toEqual(['a', 'long'])
})
