import {
  chmodSync,
  cpSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { embeddedInto, recordType, RECORD_TYPES } from '../../../src/records/registry.ts'
import { readDocument } from '../../../src/documents/read/read-document.ts'
import { loadModels } from '../../../src/reconcile/models/models.ts'
import type { Plan } from '../../../src/plan/plan.ts'
import { holdfast } from '../run-command.ts'
import { workspace, type Files } from '../workspace.ts'

const SAMPLE = fileURLToPath(new URL('../../../models/', import.meta.url))
const NAMED = RECORD_TYPES.filter(({ name }) => embeddedInto(name).length === 0)

function read(cwd: string, path: string): string {
  return readFileSync(join(cwd, path), 'utf8')
}

/** The plan of the models against what they were, as if that had been applied. */
async function planAgainst(live: unknown, cwd: string): Promise<Plan> {
  writeFileSync(join(cwd, 'live.json'), JSON.stringify(live))
  const { stdout } = await holdfast('plan --against live.json --format json', { cwd })
  return JSON.parse(stdout) as Plan
}

describe('of every type, the first and the last record of the sample', () => {
  it.each(NAMED.map(({ name }) => name))(
    '%s: the plan then has moves and nothing else',
    { timeout: 180_000 },
    async (name) => {
      const cwd = workspace()
      const fresh = () => cpSync(SAMPLE, join(cwd, 'models'), { recursive: true })
      fresh()
      const { document } = loadModels('models', { cwd, env: {} })
      const keys = [...(readDocument(document).snapshot.get(name)?.records.keys() ?? [])]
      expect(keys.length).toBeGreaterThan(0)
      for (const key of new Set([keys[0] ?? '', keys.at(-1) ?? ''])) {
        fresh()
        const to = key.includes('@') ? 'new.name@example.com' : `${key}-renamed`
        expect(await holdfast(['rename', name, key, to], { cwd })).toMatchObject({ code: 0 })
        const { changes, diagnostics } = await planAgainst(document, cwd)
        // What refers to the record follows it.
        const follows = ({ action, reason }: (typeof changes)[number]) =>
          action === 'update' && / is now /.test(reason ?? '')
        const isOfMetadata = recordType(name).metadataRule !== undefined
        const others = changes.filter((one) => one.action !== 'move' && !follows(one) && !isOfMetadata)
        expect({ key, others }).toEqual({ key, others: [] })
        expect(changes).toContainEqual(expect.objectContaining({ action: 'move', type: name, key: to }))
        expect(diagnostics.filter(({ code }) => code !== 'unresolved-reference')).toEqual([])
      }
    },
  )
})

const STYLES: Files = {
  'models/a.yaml': `# Of the heating. temp
characteristics:
  - code: temp # the one
    name: temp
    characteristicType: MEASUREMENT
    dataType: FLOAT
  - { "code": 'other', name: Other, characteristicType: MEASUREMENT, dataType: FLOAT }
services:
  - code: climate
    name: Climate
    characteristics: [{ code: temp }, { code: "other" }]   # both
---
services:
- code: air
  name: Air
  characteristics:
  - code: 'temp'

  - code: other
`,
  'models/deep/b.json': `{
	"services": [ {"code": "c", "name": "temp", "characteristics": [{"code":"te\\u006dp"}] } ],
  "characteristicServiceLinks": [{ "characteristicCode": "temp",   "serviceCode": "air" }]
}`,
}
const SETTINGS = `# Decisions
protect:
  - { type: characteristics, key: temp }
  - { type: characteristicServiceLinks, key: temp/air }
moved:
    - { type: characteristics, from: t, to: temp }   # in May
# The end
acknowledge: []
`

describe('the files', () => {
  it('keep comments, quotes, white space and order: only the names change', async () => {
    const cwd = workspace({ ...STYLES, 'models/holdfast.yaml': SETTINGS })
    const { code, stdout, stderr } = await holdfast('rename characteristics temp room-temperature', { cwd })
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'Look at it: holdfast plan\n' })
    expect(stdout).toBe(`wrote models/a.yaml: 3 places
wrote models/deep/b.json: 2 places
wrote models/holdfast.yaml: 3 places and the entry below moved
Renamed characteristics: temp → room-temperature
`)
    expect(read(cwd, 'models/a.yaml')).toBe(
      (STYLES['models/a.yaml'] ?? '')
        .replace('code: temp #', 'code: room-temperature #')
        .replace('{ code: temp }', '{ code: room-temperature }')
        .replace("'temp'", "'room-temperature'"),
    )
    expect(read(cwd, 'models/deep/b.json')).toBe(
      (STYLES['models/deep/b.json'] ?? '')
        .replace('"te\\u006dp"', '"room-temperature"')
        .replace('"temp",   ', '"room-temperature",   '),
    )
    expect(read(cwd, 'models/holdfast.yaml')).toBe(
      SETTINGS.replace('key: temp }', 'key: room-temperature }')
        .replace('temp/air', 'room-temperature/air')
        .replace(
          'to: temp }   # in May',
          'to: room-temperature }   # in May\n    - { type: characteristics, from: temp, to: room-temperature }',
        ),
    )
  })

  it('come back when the record gets its old name again, but for the entry, which turns round', async () => {
    const cwd = workspace({ ...STYLES, 'models/holdfast.yaml': 'moved: []\n' })
    await holdfast('rename characteristics temp x', { cwd })
    expect(await holdfast('rename characteristics x temp', { cwd })).toMatchObject({ code: 0 })
    expect(read(cwd, 'models/a.yaml')).toBe(STYLES['models/a.yaml'])
    expect(read(cwd, 'models/holdfast.yaml')).toBe('moved:\n  - { type: characteristics, from: x, to: temp }\n')
  })

  it.each([
    ['', 'moved:\n  - ENTRY\n'],
    ['# nothing yet', '# nothing yet\n\nmoved:\n  - ENTRY\n'],
    ['protect: []', 'protect: []\n\nmoved:\n  - ENTRY\n'],
    ['moved: [ ] # none\nprotect: []\n', 'moved: # none\n  - ENTRY\nprotect: []\n'],
    ['moved: [{ type: services, from: a, to: c }]\n', 'moved: [{ type: services, from: a, to: c }, ENTRY]\n'],
    [
      'moved:\r\n- type: services\r\n  from: a\r\n  to: c\r\n',
      'moved:\r\n- type: services\r\n  from: a\r\n  to: c\r\n- type: services\r\n  from: climate\r\n  to: room-climate\r\n',
    ],
    [
      '{ "protect": [] }',
      '{ "protect": [], "moved": [{ "type": "services", "from": "climate", "to": "room-climate" }] }',
    ],
    ['{ "moved": [] }\n', '{ "moved": [{ "type": "services", "from": "climate", "to": "room-climate" }] }\n'],
    ['---\nprotect: []\n', '---\nprotect: []\n\nmoved:\n  - ENTRY\n'],
  ])('settings as %j get the entry', async (before, after) => {
    const cwd = workspace({ ...STYLES, 'models/holdfast.yaml': before })
    await holdfast('rename services climate room-climate', { cwd })
    const entry = '{ type: services, from: climate, to: room-climate }'
    expect(read(cwd, 'models/holdfast.yaml')).toBe(after.replace('ENTRY', entry))
  })

  it('have settings afterwards, where there were none', async () => {
    const cwd = workspace(STYLES)
    await holdfast('rename services climate "x y" --format json'.split(' '), { cwd })
    const { stdout, stderr } = await holdfast(['rename', 'services', 'climate', 'no: key', '--format', 'json'], { cwd })
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toMatchObject({
      to: 'no: key',
      files: [{ path: 'models/a.yaml', places: 1 }, { places: 0 }],
    })
    expect(read(cwd, 'models/a.yaml')).toContain('- code: "no: key"\n')
    expect(read(cwd, 'models/holdfast.yaml')).toBe('moved:\n  - { type: services, from: climate, to: "no: key" }\n')
  })

  it('that repeat a text by an anchor are changed where it is written', async () => {
    const text = `services:
  - { code: a, name: A, characteristics: &both [{ code: temp }, { code: other }] }
  - { code: b, name: B, characteristics: *both }
`
    const cwd = workspace({ 'models/a.yaml': (STYLES['models/a.yaml'] ?? '').replace(/services:[^]*/, text) })
    expect(await holdfast('rename characteristics temp x', { cwd })).toMatchObject({ code: 0 })
    expect(read(cwd, 'models/a.yaml')).toContain(text.replace('temp', 'x'))
  })
})

/** The texts of all files of the models. */
function everything(cwd: string): string[][] {
  const found = readdirSync(join(cwd, 'models'), { recursive: true, withFileTypes: true })
  return found
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => [name, readFileSync(join(parentPath, name), 'utf8')])
}

describe('nothing is written', () => {
  it.each([
    ['characteristics tmp x', 'the models do not describe characteristics/tmp. Did you mean "temp"?'],
    ['characteristics temp other', 'characteristics/other is another record'],
    ['characteristics temp temp', 'characteristics/temp is called that already'],
    ['characteristic temp x', 'there is no record type "characteristic"'],
    ['characteristics temp a/b', 'is no key of characteristics: write code'],
    ['characteristicServiceLinks temp/air x/air', 'rename one of the two that are linked'],
    ['organizations west x', 'There is house/west and yard/west: give the whole key'],
    ['organizations house/west yard/x', 'somewhere else in the tree'],
  ])('for rename %s', async (words, reason) => {
    const organizations = `organizations:
  - { alias: house, name: House, organizationUnits: [{ alias: west, name: West }] }
  - { alias: yard, name: Yard, organizationUnits: [{ alias: west, name: West }] }
`
    const cwd = workspace({ ...STYLES, 'models/o.yaml': organizations })
    const before = everything(cwd)
    const { code, stdout, stderr } = await holdfast(`rename ${words}`, { cwd })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(reason)
    expect(everything(cwd)).toEqual(before)
  })

  it('where the models have errors, or would have some', async () => {
    const cwd = workspace({ ...STYLES, 'models/c.yaml': 'users: [{ email: a@example.com }, { email: 7 }]\n' })
    const before = everything(cwd)
    expect((await holdfast('rename users a@example.com b@example.com', { cwd })).stderr).toContain('models/c.yaml:1:')
    writeFileSync(join(cwd, 'models/c.yaml'), 'users: [{ email: a@example.com, name: A }]\n')
    expect((await holdfast('rename users a@example.com b', { cwd })).stderr).toContain('not be valid any more')
    expect(everything(cwd).filter(([name]) => name !== 'c.yaml')).toEqual(before.filter(([name]) => name !== 'c.yaml'))
  })

  it('where one of the files cannot be', async () => {
    const cwd = workspace({ ...STYLES, 'models/holdfast.yaml': SETTINGS })
    // Next to a file with a name of this length, not even root can write an unfinished one.
    const long = `models/deep/${'b'.repeat(250)}.json`
    renameSync(join(cwd, 'models/deep/b.json'), join(cwd, long))
    const before = everything(cwd)
    const { code, stderr } = await holdfast('rename characteristics temp x', { cwd })
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining(`cannot write ${long}: its name is too long`),
    })
    expect(everything(cwd)).toEqual(before)
  })
})

it('a file keeps its rights, its byte order mark and what leads to it', async () => {
  const cwd = workspace({
    ...STYLES,
    'shared/c.yaml': '\ufeffservices: [{ code: x, name: X, characteristics: [{ code: temp }] }]\n',
  })
  chmodSync(join(cwd, 'shared/c.yaml'), 0o640)
  symlinkSync('../shared/c.yaml', join(cwd, 'models/c.yaml'))
  expect(await holdfast('rename characteristics temp new', { cwd })).toMatchObject({ code: 0 })
  expect(lstatSync(join(cwd, 'models/c.yaml')).isSymbolicLink()).toBe(true)
  expect(statSync(join(cwd, 'shared/c.yaml')).mode & 0o777).toBe(0o640)
  expect(read(cwd, 'shared/c.yaml')).toMatch(/^\ufeffservices: .* code: new /)
})
