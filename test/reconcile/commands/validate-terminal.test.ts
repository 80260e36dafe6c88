import { expect, test } from 'vitest'
import { holdfast } from '../run-command.ts'
import { workspace, type Files } from '../workspace.ts'

/** What a person at a terminal reads. */
async function shown(files: Files, command = 'validate'): Promise<string> {
  const { stdout, stderr } = await holdfast(command, {
    cwd: workspace(files),
    isTerminal: true,
    env: { NO_COLOR: '1' },
  })
  return stdout + stderr
}

const one = (code: string, more: string) =>
  `  - code: ${code}\n    name: N\n    characteristicType: SETTING\n    dataType: ${more}\n`

test('shows the line of a finding, and equal findings of a file once', async () => {
  const files = { 'models/a.yaml': `characteristics:\n${['a', 'b', 'c'].map((code) => one(code, 'FLOATY')).join('')}` }
  expect(await shown(files)).toBe(`models/a.yaml:5:5  error  not-in-enum
  5 |     dataType: FLOATY
    |     ^
  "dataType" must be one of "BLOB", "BOOLEAN", "DATE", "FLOAT", "INTEGER",
  "JSON", "SELECT", "STRING", "TIME", "TIMESPAN" or "TIMESTAMP", but is
  "FLOATY". Did you mean "FLOAT"?
  and 2 more of the same in this file: lines 9, 13

The models are not valid: 3 errors, 0 warnings.
`)
  const unreadable = { 'models/a.yaml': 'services:\n  - code: heating\n   name: Heating\n' }
  expect(await shown(unreadable, 'plan')).toContain('  3 |    name: Heating\n    |    ^\n')
})

test('keeps a place in a long line in sight', async () => {
  const long = `{"characteristics": [{"description": "${'x'.repeat(300)}", "cod": "a"}]}`
  const lines = (await shown({ 'models/a.json': long })).split('\n')
  const mark = lines.findLastIndex((line) => line.endsWith('^'))
  const column = lines[mark]?.indexOf('^') ?? 0
  expect(lines[mark - 1]?.slice(column)).toMatch(/^"cod"/)
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
})

test.each([
  ['in the line', 'machineUsers:\n  - { username: a, pasword: hunter2, organization: o }\n'],
  ['in the line before', 'machineUsers:\n  - username: a\n    password:\n      hunter2: 1\n'],
  ['in a block', 'machineUsers:\n  - username: a\n    password: |\n      hunter2\n     wrong\n    nme: b\n'],
])('shows no line with a secret %s', async (_, text) => {
  const found = await shown({ 'models/a.yaml': text })
  expect(found).toContain('error')
  expect(found).not.toContain('hunter2')
})

test('shows a line without control characters', async () => {
  const found = await shown({ 'models/a.yaml': 'services:\n  - { code: a, name: "\u202eb", nme: c }\n' })
  expect(found).toContain(String.raw`name: "\u202eb"`)
})
