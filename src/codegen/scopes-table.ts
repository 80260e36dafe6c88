import type { GraphQLObjectType } from 'graphql'
import { leastRole, OWN_RIGHTS, ROLE_MEANINGS, ROLES } from '../auth/roles.ts'
import { DEFAULT_SCOPES, deviceRightsOf, RIGHTS, SCOPES, scopesGiving, type Right } from '../auth/scopes.ts'
import { SCHEMA } from '../server/graphql/schema.ts'
import { REST_ROUTES } from '../server/routes/rest-routes.ts'
import type { Emitter } from './emitter.ts'

export const scopesTable: Emitter = { path: 'generated/scopes.md', emit }

const HEAD = `<!-- Generated from src/auth/, src/server/graphql/ and src/server/routes/ by "npm run types". Do not edit. -->

# Scopes and roles

A request may do what both the scopes of its token **and** the roles of its account allow. Scopes limit what an
application does for somebody; roles are what that account may do at all.

## Scopes

A token gets the scopes that were asked for, and at most those that its application consumer, or the rule of its
authentication method, lists. A request that names no scope gets all of these. A consumer without \`scopes\` has
${listOf(DEFAULT_SCOPES)}. A scope that is not in this table allows nothing.
`

const WARNING = `${code('model:apply')} and ${code('access:admin')} decide who may sign in, for an account that may decide it.
`

const ROLES_HEAD = `## Roles

Each role includes the roles before it. Every account also has ${listOf(OWN_RIGHTS)},
and has no other right until it is granted a role. A device, whose account is bound to a system, needs no role: it may
${listOf([...deviceRightsOf(['service'])])} for that system. A rule of an authentication method that names a machine user is a
grant itself: what its scopes allow.
`

async function emit(): Promise<string> {
  return [HEAD, scopes(), WARNING, ROLES_HEAD, roles(), '## What an operation needs\n', ...RIGHTS.map(section)].join(
    '\n',
  )
}

function scopes(): string {
  const rows = Object.entries(SCOPES).map(([scope, { allows, rights }]) => {
    const given = rights.length === RIGHTS.length ? 'all' : listOf(rights)
    return `| ${code(scope)} | ${allows} | ${given} |\n`
  })
  return `| scope | allows to | rights |\n|---|---|---|\n${rows.join('')}`
}

function roles(): string {
  const rows = ROLES.map((role) => {
    const { allows, adds } = ROLE_MEANINGS[role]
    return `| ${code(role)} | ${allows} | ${listOf(adds)} |\n`
  })
  return `| role | | adds |\n|---|---|---|\n${rows.join('')}`
}

function section(right: Right): string {
  const routes = REST_ROUTES.filter((route) => route.right === right)
  const operations = [
    ['GraphQL queries', fieldsWith(right, SCHEMA.getQueryType())],
    ['GraphQL mutations', fieldsWith(right, SCHEMA.getMutationType())],
    ['GraphQL subscriptions', fieldsWith(right, SCHEMA.getSubscriptionType())],
    ['REST', routes.map(({ operation }) => operation)],
  ] as const
  const lines = operations.flatMap(([kind, names]) => (names.length === 0 ? [] : [`${kind}: ${listOf(names)}.\n`]))
  const needing = lines.length === 0 ? ['No operation yet.\n'] : lines
  return [`### ${right}\n`, `${givers(right)}\n`, ...needing, ...withinLine(right)].join('\n')
}

function givers(right: Right): string {
  const role = leastRole(right)
  const roleText = role === null ? 'Every account has it.' : `Role: ${code(role)} and those after it.`
  return `Given by ${listOf(scopesGiving(right))}. ${roleText}`
}

/** Lists operations that affect nothing outside of an organization, so that a role within it is enough for them. */
function withinLine(right: Right): string[] {
  const roots = [SCHEMA.getQueryType(), SCHEMA.getMutationType(), SCHEMA.getSubscriptionType()]
  const fields = roots.flatMap((type) => Object.values(type?.getFields() ?? {}))
  const kept = fields.filter(({ extensions }) => extensions['right'] === right && extensions['keepsWithin'] === true)
  const routes = REST_ROUTES.filter((route) => route.right === right && route.keepsWithin)
  const names = [...new Set(kept.map(({ name }) => name)), ...routes.map(({ operation }) => operation)].sort()
  return names.length === 0 ? [] : [`A role within an organization or unit is enough for: ${names.join(', ')}.\n`]
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
