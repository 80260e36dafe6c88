import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'

// Takes the steps of "How to add a field to an entity" in CONTRIBUTING.md, in a copy of the tree, and uses the result.

const run = promisify(execFile)
const project = fileURLToPath(new URL('../../../', import.meta.url))

const FIELD = {
  description: 'What people should know of the system.',
  type: ['string', 'null'],
  create: { description: 'What people should know of it.' },
  patch: { description: 'The new description. Null: none.' },
}

const MIGRATION = 'alter table systems add column description text;\n'

const USE = `
import { openAsBlob } from 'node:fs'
import { graphql } from 'graphql'
import { RIGHTS } from './src/auth/scopes.ts'
import { SYSTEM_PAGE } from './src/console/pages/systems/system.ts'
import { NEW_SYSTEM_PAGE } from './src/console/pages/systems/new.ts'
import { migrate } from './src/db/migrate.ts'
import { openPglite } from './src/db/pglite/pglite.ts'
import { readMigrations } from './src/db/read-migrations.ts'
import { SCHEMA } from './src/server/graphql/schema.ts'
import { makeDomain } from './test/support/domain.ts'

const database = await openPglite('memory', { template: await openAsBlob(process.argv[2]) })
await migrate(database, await readMigrations(new URL('./src/db/migrations', import.meta.url)))
const call = { context: await makeDomain(database), actor: { systemUuid: null, units: null } }
const caller = { scopes: [], rights: new Set(RIGHTS), rightsWithin: new Map(), roles: [], isDevice: false }
const contextValue = { caller, parts: call, callFor: () => call }
const ask = async (source, variableValues = {}) => {
  const answer = await graphql({ schema: SCHEMA, source, variableValues, contextValue })
  return answer.errors ? answer.errors.map(({ message }) => message) : Object.values(answer.data)[0]
}
const made = await ask('mutation { createSystem(input: { name: "House", description: "Two\\\\nlines" }) { uuid description } }')
const update = 'mutation ($uuid: ID!, $input: SystemPatch!) { updateSystem(uuid: $uuid, input: $input) { description } }'
const { uuid } = made
const url = new URL('http://localhost')
const visit = { ...call, caller: { ...caller, units: null, systemUuid: null }, url, csrf: '', zone: 'UTC', now: new Date(), param: () => uuid }
const parts = /name="description"|title="What people should know of the system."|Two\\nlines/g
const shownBy = async (page) => String((await page.show(visit)).body).match(parts)
console.log(JSON.stringify([
  made.description,
  await shownBy(NEW_SYSTEM_PAGE),
  await shownBy(SYSTEM_PAGE),
  await ask(update, { uuid, input: { name: 'Home' } }),
  await ask(update, { uuid, input: { description: 'Other' } }),
  await ask('{ systems { nodes { name description } } }'),
  await ask(update, { uuid, input: { description: null } }),
  await ask(update, { uuid, input: { description: 'a\\u0000' } }),
]))
await database.close()
`

describe('a field that is added to an entity as CONTRIBUTING.md says', () => {
  const copy = mkdtempSync(join(tmpdir(), 'holdfast-new-field-'))
  const inCopy = (path: string) => join(copy, path)

  beforeAll(async () => {
    for (const part of ['src', 'schemas', 'generated', 'test/support'])
      cpSync(join(project, part), inCopy(part), { recursive: true })
    symlinkSync(join(project, 'node_modules'), inCopy('node_modules'))
    writeFileSync(inCopy('package.json'), '{ "type": "module" }')
    addToSchema()
    writeFileSync(inCopy(`src/db/migrations/${nextNumber()}-description.sql`), MIGRATION)
    await run(process.execPath, ['src/codegen/generate.ts'], { cwd: copy })
  })
  afterAll(() => rmSync(copy, { recursive: true, force: true }))

  function addToSchema(): void {
    const path = inCopy('schemas/entities.schema.json')
    const schema = JSON.parse(readFileSync(path, 'utf8')) as { $defs: { System: { properties: object } } }
    Object.assign(schema.$defs.System.properties, { description: FIELD })
    writeFileSync(path, JSON.stringify(schema))
  }

  function nextNumber(): string {
    const numbers = readdirSync(inCopy('src/db/migrations')).map((name) => Number(name.slice(0, 4)))
    return String(Math.max(...numbers) + 1).padStart(4, '0')
  }

  test(
    'is created, shown in the console, kept, changed, read, taken away and checked',
    { timeout: 180_000 },
    async () => {
      writeFileSync(inCopy('use.ts'), USE)
      const used = await run(process.execPath, ['use.ts', inject('migratedPgliteTemplate')], { cwd: copy })
      expect(JSON.parse(used.stdout)).toEqual([
        'Two\nlines',
        ['name="description"'],
        ['title="What people should know of the system."', 'Two\nlines', 'name="description"', 'Two\nlines'],
        { description: 'Two\nlines' },
        { description: 'Other' },
        { nodes: [{ name: 'Home', description: 'Other' }] },
        { description: null },
        [expect.stringContaining('the description')],
      ])
    },
  )

  const text = (name: string) => readFileSync(inCopy(`generated/${name}`), 'utf8')

  test('is in the types and the documentation', () => {
    expect(text('entities.ts').match(/ description\??: string \| null/g)).toHaveLength(3)
    expect(text('schema.graphql').match(/What people should know|The new description/g)).toHaveLength(3)
    expect(text('entities.md')).toContain('| `description` | string or null, settable, changeable |')
  })
})
