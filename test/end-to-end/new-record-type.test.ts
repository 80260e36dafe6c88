import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isLong } from '../support/runs.ts'
import { putMigratedPglite } from '../support/migrated-pglite.ts'

// Takes the steps of "How to add a record type" in CONTRIBUTING.md, in a copy of the tree, and uses the result.

const run = promisify(execFile)
const project = fileURLToPath(new URL('../../', import.meta.url))

const DECLARATION = `import { declareRecordType } from '../record-type.ts'

export const location = declareRecordType({
  name: 'locations',
  definition: 'Location',
  identity: ['code'],
  references: [{ path: ['organizationAlias'], type: 'organizations', owner: false }],
})
`

const DEFINITION = {
  description: 'A place where components stand.',
  type: 'object',
  additionalProperties: false,
  required: ['code', 'name'],
  properties: {
    code: { description: 'Names the place.', type: 'string', minLength: 1 },
    name: { description: 'For people.', type: 'string' },
    organizationAlias: { description: 'Whose place it is.', type: ['string', 'null'], default: null },
    status: { description: 'Whether it is in use.', $ref: '#/$defs/Status', default: 'ACTIVATED' },
  },
}

const MODEL = `organizations: [{ alias: acme, name: Acme }]
locations:
  - { code: cellar, name: Cellar, organizationAlias: acme }
`

interface Schema {
  properties: { [name: string]: { [keyword: string]: unknown } }
  $defs: { [name: string]: { enum?: string[] } & { [keyword: string]: unknown } }
}

function addName({ $defs }: Schema): void {
  const lists = Object.values($defs).filter((definition) => definition.enum?.includes('dataSources'))
  for (const list of lists) list.enum?.push('locations')
}

describe('a record type that is added as CONTRIBUTING.md says', () => {
  const copy = mkdtempSync(join(tmpdir(), 'holdfast-new-type-'))
  const inCopy = (path: string) => join(copy, path)
  const node = (...words: string[]) =>
    run(process.execPath, words, { cwd: copy, env: { ...process.env, NO_COLOR: '1' } })

  beforeAll(async () => {
    for (const part of ['bin', 'src', 'schemas', 'generated', 'package.json', 'tsconfig.json'])
      cpSync(join(project, part), inCopy(part), { recursive: true })
    symlinkSync(join(project, 'node_modules'), inCopy('node_modules'))
    describeInSchemas()
    writeFileSync(inCopy('src/records/types/location.ts'), DECLARATION)
    edit('src/records/record-type.ts', "  'users',\n]", "  'users',\n  'locations',\n]")
    edit(
      'src/records/registry.ts',
      "import { user } from './types/user.ts'",
      "import { user } from './types/user.ts'\nimport { location } from './types/location.ts'",
    )
    edit('src/records/registry.ts', '  access: grant,', '  locations: location,\n  access: grant,')
    await node('src/codegen/generate.ts')
    putMigratedPglite(inCopy('.holdfast'))
    mkdirSync(inCopy('models'))
    writeFileSync(inCopy('models/site.yaml'), MODEL)
  })
  afterAll(() => rmSync(copy, { recursive: true, force: true }))

  function describeInSchemas(): void {
    editSchema('import-document', (schema) => {
      schema.properties['locations'] = { description: 'Places.', type: 'array', items: { $ref: '#/$defs/Location' } }
      schema.$defs['Location'] = DEFINITION
    })
    editSchema('settings', addName)
    editSchema('plan', addName)
  }

  function editSchema(name: string, change: (schema: Schema) => void): void {
    const path = inCopy(`schemas/${name}.schema.json`)
    const schema = JSON.parse(readFileSync(path, 'utf8')) as Schema
    change(schema)
    writeFileSync(path, JSON.stringify(schema))
  }

  function edit(path: string, old: string, changed: string): void {
    const text = readFileSync(inCopy(path), 'utf8')
    expect(text).toContain(old)
    writeFileSync(inCopy(path), text.replace(old, changed))
  }

  test('is planned, applied, and planned to nothing', async () => {
    const applied = await node('bin/holdfast.js', 'apply', '--yes')
    expect(applied.stdout).toMatch(/locations +1 to create/)
    const exported = await node('bin/holdfast.js', 'export', '--format', 'json')
    expect((JSON.parse(exported.stdout) as { locations: unknown }).locations).toEqual([
      { code: 'cellar', name: 'Cellar', organizationAlias: 'acme', status: 'ACTIVATED' },
    ])
    expect((await node('bin/holdfast.js', 'plan', '--detailed-exitcode')).stdout).toMatch(/^No changes on \S+\./)
  })

  test('is checked: a reference to nothing is found', async () => {
    writeFileSync(inCopy('models/bad.yaml'), 'locations: [{ code: attic, name: Attic, organizationAlias: acmee }]\n')
    await expect(node('bin/holdfast.js', 'validate')).rejects.toMatchObject({
      stdout: expect.stringMatching(/^models\/bad\.yaml:1:\d+: error dangling-reference: .*Did you mean "acme"\?/m),
    })
    rmSync(inCopy('models/bad.yaml'))
  })

  test('is in the GraphQL schema and in the documentation', () => {
    expect(readFileSync(inCopy('generated/schema.graphql'), 'utf8')).toMatch(/createLocation\(/)
    expect(readFileSync(inCopy('generated/record-types.md'), 'utf8')).toContain('organizationAlias')
  })

  test('does not compile with a misspelled field', async () => {
    const tsc = () =>
      run(process.execPath, [join(project, 'node_modules/typescript/bin/tsc'), '--noEmit', '-p', '.'], { cwd: copy })
    writeFileSync(
      inCopy('tsconfig.json'),
      readFileSync(join(project, 'tsconfig.json'), 'utf8').replace(
        /"include": \[.*\]/,
        isLong ? '"include": ["src", "generated"]' : '"include": ["src/records"]',
      ),
    )
    writeFileSync(inCopy('src/records/types/misspelled.ts'), DECLARATION.replace("['code']", "['cdoe']"))
    const { stdout } = await tsc().catch((error: unknown) => error as { readonly stdout: string })
    const wrong = stdout.split('\n').filter((line) => /\(\d+,\d+\): error /.test(line))
    expect(wrong).toEqual([expect.stringMatching(/^src\/records\/types\/misspelled\.ts.*cdoe/)])
  })
})
