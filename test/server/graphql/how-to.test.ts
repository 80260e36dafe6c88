import { readFileSync } from 'node:fs'
import { parse, validate } from 'graphql'
import { expect, it } from 'vitest'
import { SCHEMA } from '../../../src/server/graphql/schema.ts'

const TEXT = readFileSync(new URL('../../../docs/how-to/company-login.md', import.meta.url), 'utf8')
const OPERATIONS = Array.from(TEXT.matchAll(/^```graphql\n(.*?)^```/gms), ([, operation = '']) => operation)

it.each(OPERATIONS)('docs/how-to/company-login.md shows what the API has: %s', (operation) => {
  expect(validate(SCHEMA, parse(operation))).toStrictEqual([])
})
