import { execFile } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'

// Takes the steps of "How to add a dataType" in CONTRIBUTING.md, in a copy of the tree, and uses the result.

const run = promisify(execFile)
const project = fileURLToPath(new URL('../../', import.meta.url))

const DECLARATION = `import { readTimeSpan } from '../values/day-time.ts'
import { momentBoundary, MomentRules } from '../values/moment-rules.ts'
import { declareDataType } from './declaration.ts'

const FORM = {
  expected: 'a duration such as PT1H30M',
  read: readTimeSpan,
  boundary: momentBoundary('a duration like PT1H30M', readTimeSpan),
}

export const DURATION = declareDataType({
  name: 'DURATION',
  kind: 'text',
  value: 'a duration that is compared: \`PT1H30M\`',
  honours: [],
  boundary: FORM.boundary,
  rules: (characteristic) => new MomentRules(FORM, characteristic),
  clientType: () => ({ union: ['string'] }),
  example: () => 'PT5M',
  input: 'line',
  hint: 'A duration such as PT90M.',
  shape: 'text',
})
`

const USE = `
import { openAsBlob } from 'node:fs'
import { graphql } from 'graphql'
import { RIGHTS } from './src/auth/scopes.ts'
import { filledWith } from './src/console/form.ts'
import { readValue } from './src/console/pages/systems/analyse/set/read-value.ts'
import { valueField } from './src/console/pages/systems/analyse/set/value-field.ts'
import { migrate } from './src/db/migrate.ts'
import { openPglite } from './src/db/pglite/pglite.ts'
import { readMigrations } from './src/db/read-migrations.ts'
import { Datapoints } from './src/platform/datapoints/datapoints.ts'
import { listSystemSeries } from './src/platform/datapoints/reading/series/system-series.ts'
import { EVERYWHERE } from './src/platform/systems/reach.ts'
import { exampleOf } from './src/records/data-types/data-type.ts'
import { PlainLists } from './src/server/graphql/plain-lists.ts'
import { SCHEMA } from './src/server/graphql/schema.ts'
import { schemasOf } from './src/server/openapi/schemas.ts'
import { applyAll, makeDomain } from './test/support/domain.ts'
import { makeSystem } from './test/support/site.ts'

const database = await openPglite('memory', { template: await openAsBlob(process.argv[2]) })
await migrate(database, await readMigrations(new URL('./src/db/migrations', import.meta.url)))
const context = await makeDomain(database)
await applyAll(context, JSON.parse(process.argv[3]))
const site = await makeSystem(context, { model: 'timer', name: 'Timer' }, 1)
const datapoints = new Datapoints({ ...context, isAlone: true })
const who = { domainId: context.domain.id, actor: 'tester', ...EVERYWHERE }
const add = async (value) => {
  const { errors } = await datapoints.ingest.add(who, [site.point('rest', value)])
  return errors.map(({ code, detail }) => code + ': ' + detail)
}
const sent = [await add('PT90M'), await add('PT3H'), await add('long')]
const { series: [series] } = await listSystemSeries(context, EVERYWHERE, site.systemUuid)
const call = { context, actor: EVERYWHERE }
const caller = { scopes: [], rights: new Set(RIGHTS), rightsWithin: new Map(), roles: [], isDevice: false }
const { data } = await graphql({
  schema: SCHEMA,
  source: '{ latestDatapoints(dataType: DURATION) { dataType value } }',
  contextValue: { caller, parts: call, lists: new PlainLists(), callFor: () => call },
})
console.log(JSON.stringify({
  sent,
  read: data.latestDatapoints,
  field: valueField(filledWith({ value: '' }), series).toString(),
  filled: readValue(filledWith({ value: 'PT2H' }), series, 'UTC'),
  example: exampleOf(series.characteristic),
  openapi: JSON.stringify(schemasOf({ batchPoints: 1 })),
}))
await datapoints.close()
await database.close()
`

const REST = {
  code: 'rest',
  name: 'Rest',
  characteristicType: 'SETTING',
  dataType: 'DURATION',
  boundaryMin: 'PT10M',
  boundaryMax: 'PT2H',
}
const MODEL = {
  characteristics: [REST],
  services: [{ code: 'timing', name: 'Timing', characteristics: [{ code: 'rest' }] }],
  componentModels: [{ code: 'timer', name: 'Timer', componentType: 'DEVICE', services: [{ code: 'timing' }] }],
}

interface Schema {
  readonly $defs: { readonly DataType: { readonly enum: string[] } }
}

describe('a dataType that is added as CONTRIBUTING.md says', () => {
  const copy = mkdtempSync(join(tmpdir(), 'holdfast-new-data-type-'))
  const inCopy = (path: string) => join(copy, path)
  const node = (...words: string[]) =>
    run(process.execPath, words, { cwd: copy, env: { ...process.env, NO_COLOR: '1' } })

  beforeAll(async () => {
    for (const part of ['bin', 'src', 'schemas', 'generated', 'test/support', 'package.json'])
      cpSync(join(project, part), inCopy(part), { recursive: true })
    symlinkSync(join(project, 'node_modules'), inCopy('node_modules'))
    addToSchema()
    writeFileSync(inCopy('src/records/data-types/duration.ts'), DECLARATION)
    appendFileSync(inCopy('src/records/data-types/declared.ts'), "export { DURATION } from './duration.ts'\n")
    await node('src/codegen/generate.ts')
  })
  afterAll(() => rmSync(copy, { recursive: true, force: true }))

  function addToSchema(): void {
    const path = inCopy('schemas/import-document.schema.json')
    const schema = JSON.parse(readFileSync(path, 'utf8')) as Schema
    schema.$defs.DataType.enum.push('DURATION')
    writeFileSync(path, JSON.stringify(schema))
  }

  test('takes values, keeps to its boundaries, and is read, set and documented', async () => {
    writeFileSync(inCopy('use.ts'), USE)
    const { stdout } = await node('use.ts', inject('migratedPgliteTemplate'), JSON.stringify(MODEL))
    expect(JSON.parse(stdout)).toEqual({
      sent: [
        [],
        ['out-of-bounds: "PT3H" is above boundaryMax (PT2H)'],
        ['wrong-type: the value must be a duration such as PT1H30M, but is "long"'],
      ],
      read: [{ dataType: 'DURATION', value: 'PT90M' }],
      field: expect.stringMatching(/A duration such as PT90M\.<\/p>\s*<input\s+class="field"\s+type="text"/),
      filled: 'PT2H',
      example: 'PT10M',
      openapi: expect.stringContaining('| DURATION | a duration that is compared: `PT1H30M` |'),
    })
  })

  test('is checked: boundaries that cross, and fields that it ignores', async () => {
    mkdirSync(inCopy('models'))
    const characteristic = { ...REST, boundaryMin: 'PT3H', precision: 1 }
    writeFileSync(inCopy('models/site.json'), JSON.stringify({ ...MODEL, characteristics: [characteristic] }))
    const { stdout } = await node('bin/holdfast.js', 'validate').catch((error: unknown) => error as { stdout: string })
    expect(stdout).toMatch(/error boundaries-crossed: .*"PT3H" > "PT2H".*: no DURATION value could be valid/)
    expect(stdout).toMatch(/warning ignored-field: precision is ignored for dataType DURATION/)
  })

  test('is in the GraphQL schema and in the documentation', () => {
    expect(readFileSync(inCopy('generated/schema.graphql'), 'utf8')).toMatch(/enum DataType \{[^}]*\n {2}DURATION\n/)
    expect(readFileSync(inCopy('generated/record-types.md'), 'utf8')).toContain(
      '| `DURATION` | a duration that is compared: `PT1H30M` | `boundaryMin`, `boundaryMax` |',
    )
  })

  test('does not compile without a part, nor with rules of another kind', async () => {
    writeFileSync(inCopy('src/records/data-types/shapeless.ts'), DECLARATION.replace("  shape: 'text',\n", ''))
    writeFileSync(inCopy('src/records/data-types/mixed.ts'), DECLARATION.replace("kind: 'text'", "kind: 'float'"))
    const files = ['data-type', 'shapeless', 'mixed'].map((name) => `src/records/data-types/${name}.ts`)
    const { compilerOptions } = JSON.parse(readFileSync(join(project, 'tsconfig.json'), 'utf8')) as object & {
      compilerOptions: object
    }
    writeFileSync(inCopy('tsconfig.json'), JSON.stringify({ compilerOptions, files }))
    const { stdout } = await node(join(project, 'node_modules/typescript/bin/tsc'), '--noEmit', '-p', '.').catch(
      (error: unknown) => error as { stdout: string },
    )
    const wrong = stdout.split('\n').filter((line) => /\(\d+,\d+\): error /.test(line))
    expect(wrong.sort()).toEqual([
      expect.stringMatching(/^src\/records\/data-types\/mixed\.ts/),
      expect.stringMatching(/^src\/records\/data-types\/shapeless\.ts.*shape/),
    ])
  })
})
