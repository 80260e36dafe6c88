import type { GraphQLObjectType } from 'graphql'
import { REST_RIGHTS } from '../auth/rest-rights.ts'
import { DEFAULT_SCOPES, RIGHTS, SCOPES, scopesGiving, type Right } from '../auth/scopes.ts'
import { SCHEMA } from '../graphql/schema.ts'
import type { Emitter } from './emitter.ts'

export const scopesTable: Emitter = { path: 'generated/scopes.md', emit }

const HEAD = `<!-- Generated from src/auth/ and src/graphql/ by "npm run types". Do not edit. -->

# Scopes

What a token may do is what its scopes allow together. A token gets the scopes that were asked for, and at most those
that its application consumer, or the rule of its authentication method, lists. A request that names no scope gets all
of these. A consumer without \`scopes\` has ${listOf(DEFAULT_SCOPES)}. A scope that is not in this table allows nothing.
`

const WARNING = `${code('model:apply')} and ${code('access:admin')} decide who may sign in, so whoever has one of them
can come to have all the others.
`

async function emit(): Promise<string> {
  return [HEAD, scopes(), WARNING, '## What an operation needs\n', ...RIGHTS.map(section)].join('\n')
}

function scopes(): string {
  const rows = Object.entries(SCOPES).map(([scope, { allows, rights }]) => {
    const given = rights.length === RIGHTS.length ? 'all' : listOf(rights)
    return `| ${code(scope)} | ${allows} | ${given} |\n`
  })
  return `| scope | allows to | rights |\n|---|---|---|\n${rows.join('')}`
}

function section(right: Right): string {
  const operations = [
    ['GraphQL queries', fieldsWith(right, SCHEMA.getQueryType())],
    ['GraphQL mutations', fieldsWith(right, SCHEMA.getMutationType())],
    ['GraphQL subscriptions', fieldsWith(right, SCHEMA.getSubscriptionType())],
    ['REST', Object.entries(REST_RIGHTS).flatMap(([operation, needed]) => (needed === right ? [operation] : []))],
  ] as const
  const lines = operations.flatMap(([kind, names]) => (names.length === 0 ? [] : [`${kind}: ${listOf(names)}.\n`]))
  const needing = lines.length === 0 ? ['No operation yet.\n'] : lines
  return [`### ${right}\n`, `Given by ${listOf(scopesGiving(right))}.\n`, ...needing].join('\n')
}

function fieldsWith(right: Right, type: GraphQLObjectType | null | undefined): string[] {
  const fields = Object.values(type?.getFields() ?? {})
  return fields.flatMap(({ name, extensions }) => (extensions['right'] === right ? [name] : [])).sort()
}

function listOf(names: readonly string[]): string {
  return names.map(code).join(', ')
}

function code(text: string): string {
  return `\`${text}\``
}
