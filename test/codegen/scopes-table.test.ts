import { describe, expect, it } from 'vitest'
import { ROLE_MEANINGS, ROLES } from '../../src/auth/roles.ts'
import { RIGHTS, SCOPES } from '../../src/auth/scopes.ts'
import { scopesTable } from '../../src/codegen/scopes-table.ts'
import { SCHEMA } from '../../src/server/graphql/schema.ts'
import { REST_RIGHTS } from '../server/rest-rights.ts'

const text = await scopesTable.emit()

/** Without the scopes that give the right: there is a query with the name of one. */
function sectionOf(right: string): string {
  const section = text.split(`\n### ${right}\n`)[1]?.split('\n### ')[0] ?? ''
  return section.replace(/^Given by .*$/m, '')
}

describe('the table of scopes', () => {
  it('has a row for each scope, and says what it gives', () => {
    const [table = ''] = text.split('\n## Roles\n')
    const rows = [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, scope]) => scope)
    expect(rows).toEqual(Object.keys(SCOPES))
    expect(text).toContain(
      '| `model:plan` | Plan changes of the data model | `self:read`, `domain:read`, `model:plan` |',
    )
  })

  it('has a row for each role, and says what it adds', () => {
    for (const role of ROLES) expect(text).toContain(`| \`${role}\` | ${ROLE_MEANINGS[role].allows} | `)
  })

  it('has every operation under the right that it needs, and only there', () => {
    const operations = [SCHEMA.getQueryType(), SCHEMA.getMutationType(), SCHEMA.getSubscriptionType()].flatMap((type) =>
      Object.values(type?.getFields() ?? {}).map(({ name, extensions }) => [name, extensions['right']]),
    )
    const sections = new Map(RIGHTS.map((right) => [right, sectionOf(right)]))
    for (const [name, right] of [...operations, ...REST_RIGHTS]) {
      const found = [...sections].filter(([, section]) => section.includes(`\`${String(name)}\``)).map(([of]) => of)
      expect({ name, found }).toEqual({ name, found: [right] })
    }
  })
})
