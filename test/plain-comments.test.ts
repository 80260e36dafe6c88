import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

// A comment begins with what a thing is or does. One that begins with a clause, such as "What …" or "Whoever …", makes
// its readers look for the subject.
const OPENERS = /^\s*(?:\/\/|\*|\/\*\*) (?:What|Who|Whoever|Those|Of which|Of) .*/gm

it('no comment of the source begins with a clause as its subject', () => {
  const found = globSync('src/**/*.{ts,js}').flatMap((file) =>
    Array.from(readFileSync(file, 'utf8').matchAll(OPENERS), ([line]) => `${file}: ${line.trim()}`),
  )
  expect(found).toStrictEqual([])
})
