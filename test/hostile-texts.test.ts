import { GraphQLError, parse } from 'graphql'
import { expect, it } from 'vitest'
import { patternIn } from '../src/auth/password-weakness.ts'
import { readInstant, readTimeSpan } from '../src/records/values/day-time.ts'
import { decodeJson } from '../src/datapoints/wire/wire.ts'
import { canonicalInstant } from '../src/records/instant.ts'
import { repositoryName } from '../src/records/type-owner.ts'
import { answerError } from '../src/server/graphql/requests/answer-errors.ts'

// Texts that strangers send, in the form that makes a careless scanner begin anew at each character.

function syntaxError(source: string): GraphQLError {
  try {
    parse(source)
  } catch (error) {
    if (error instanceof GraphQLError) return error
  }
  throw new Error('it is no syntax error')
}

const SCANNERS: readonly (readonly [what: string, scan: (size: number) => unknown])[] = [
  ['a word that JSON does not have', (size) => refusal(() => decodeJson(Buffer.from(`[NaN,"${'\\"'.repeat(size)}`)))],
  ['a date-time value', (size) => readInstant(`2026-01-01T00:00:00.${'0'.repeat(size)}10Z`)],
  ['a time span', (size) => readTimeSpan(`PT0.${'0'.repeat(size)}10S`)],
  ['an instant of a record', (size) => canonicalInstant(`2026-01-01T00:00:00.${'0'.repeat(size)}1Z`)],
  ['the name of a repository', (size) => repositoryName(`a${'/'.repeat(size)}b`)],
  ['a secret that nearly repeats itself', (size) => patternIn(`${'a'.repeat(size)}b${'a'.repeat(size)}`)],
  ['a password', (size) => patternIn(`a${'1'.repeat(size)}b`)],
  ['a syntax error', (size) => answerOf(`{ a(i "${'cannot represent '.repeat(size)}") }`)],
  ['a syntax error that names an enum', (size) => answerOf(`{ a(i "${'Value \\"'.repeat(size)}") }`)],
  ['a syntax error within another', (size) => answerOf(`{ a(i "${'Expected '.repeat(size)}`)],
]

function refusal(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}

function answerOf(source: string): unknown {
  return answerError(syntaxError(source), '0')
}

function millisecondsOf(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

const SIZE = 15_000

it.each(SCANNERS)('%s of four times the length takes no sixteen times as long', (_, scan) => {
  const once = millisecondsOf(() => scan(SIZE))
  expect(millisecondsOf(() => scan(4 * SIZE))).toBeLessThan(8 * once + 150)
})
