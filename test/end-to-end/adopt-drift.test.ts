import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { holdfast } from '../reconcile/run-command.ts'
import { workspace, type Files } from '../reconcile/workspace.ts'
import { strongSecret } from '../support/example-records.ts'
import { platform, usePlatform } from './real-platform.ts'

// What people change on the platform by hand comes into the files.

usePlatform()
beforeEach(() => platform.empty())

const MODELS: Files = {
  'models/rooms.yaml': `# The rooms.

characteristics:
  # In the shade.
  - code: temp # the one
    name: "Temperature"
    characteristicType: MEASUREMENT
    dataType: FLOAT
    symbol: °C # by the norm

  # Nobody reads it.
  - code: noise
    name: Noise
    characteristicType: MEASUREMENT
    dataType: FLOAT
  - { code: hum, name: Humidity, characteristicType: MEASUREMENT, dataType: FLOAT }

services:
  - code: climate
    name: Climate
    characteristics: [{ code: temp }]   # one, for now
    metadataKeyValueStore:
      - { key: floor, value: 1.5 }
      - { key: wing, value: west }
`,
  'models/people.json': `{
  "organizations": [
    { "name": "Lindenhof", "alias": "lindenhof", "organizationUnits": [ { "name": "Office" } ] }
  ],
  "machineUsers": [{"username": "gateway", "password": "\${env:GATEWAY}"}]
}
`,
}
const ENV = { GATEWAY: strongSecret('gateway'), MACHINE_USER_WEATHER_PASSWORD: strongSecret('weather') }

function modelsInGit() {
  const cwd = workspace(MODELS)
  const git = (...words: string[]) => execFileSync('git', words, { cwd, encoding: 'utf8', stdio: 'pipe' })
  git('init', '--quiet')
  git('add', '.')
  const run = (line: string) => holdfast(line, { cwd, env: ENV, parts: platform.parts })
  return { cwd, git, run, read: (path: string) => readFileSync(join(cwd, path), 'utf8') }
}

async function byHand(mutation: string): Promise<void> {
  await platform.graphql(`mutation { ${mutation} }`)
}

/** Lines of `git diff` that were removed and added, without the lines around them. */
function changedLines(diff: string): string[] {
  return diff.split('\n').filter((line) => /^[-+](?![-+])/.test(line))
}

it('everything that was changed by hand comes into the files, in few lines, and the plan is empty', async () => {
  const { run, git } = modelsInGit()
  expect(await run('apply --yes')).toMatchObject({ code: 0 })
  await byHand(`
    a: updateCharacteristic(code: "temp", input: { symbol: "K", boundaryMin: -40 }) { code }
    b: deleteCharacteristic(code: "noise") { code }
    c: createCharacteristic(input: { code: "co2", name: "CO₂: \${x}", characteristicType: MEASUREMENT, dataType: INTEGER }) { code }
    d: createService(input: { code: "air", name: "Air", characteristics: [{ code: "co2" }] }) { code }
    e: updateService(code: "climate", input: { metadataKeyValueStore: [{ key: "floor", value: { float: 2.5 } }, { key: "wing", value: { string: "left" } }] }) { code }
    f: updateOrganization(recordKey: "lindenhof", input: { organizationUnits: [{ name: "Yard", directChildren: [{ name: "Shed" }] }] }) { name }
    g: createMachineUser(input: { username: "weather", password: "${strongSecret('weather')}" }) { username }
  `)
  const before = await run('plan --detailed-exitcode')
  expect(before.code).toBeGreaterThan(1)
  expect(before.stdout).toContain('created on the platform by operator')

  const adopted = await run('adopt --yes')
  expect(adopted).toMatchObject({ code: 0, stderr: 'Look at it: holdfast plan\n' })
  expect(adopted.stdout).toContain('  ~ characteristics/temp: symbol, boundaryMin (by operator)\n')
  expect(adopted.stdout).toMatch(/wrote models\/rooms\.yaml\n|wrote models\/people\.json\n/)
  expect(changedLines(git('diff', '--unified=0', 'models/rooms.yaml'))).toEqual([
    '-    symbol: °C # by the norm',
    '+    symbol: K # by the norm',
    '+    boundaryMin: -40',
    '-  # Nobody reads it.',
    '-  - code: noise',
    '-    name: Noise',
    '-    characteristicType: MEASUREMENT',
    '-    dataType: FLOAT',
    '+  - { code: co2, name: "CO₂: $${x}", characteristicType: MEASUREMENT, dataType: INTEGER }',
    '-      - { key: floor, value: 1.5 }',
    '-      - { key: wing, value: west }',
    '+      - { key: floor, value: 2.5 }',
    '+      - { key: wing, value: left }',
    '+  - code: air',
    '+    name: Air',
    '+    characteristics:',
    '+      - { code: co2 }',
  ])
  expect(changedLines(git('diff', '--unified=0', 'models/people.json'))).toEqual([
    '-    { "name": "Lindenhof", "alias": "lindenhof", "organizationUnits": [ { "name": "Office" } ] }',
    '+    { "name": "Lindenhof", "alias": "lindenhof", "organizationUnits": [{ "name": "Yard", "directChildren": [{ "name": "Shed" }] }] }',
    '-  "machineUsers": [{"username": "gateway", "password": "${env:GATEWAY}"}]',
    '+  "machineUsers": [{"username": "gateway", "password": "${env:GATEWAY}"}, { "username": "weather", "password": "${env:MACHINE_USER_WEATHER_PASSWORD}" }]',
  ])
  const after = await run('plan')
  expect(after.stdout).toMatch(/^No changes on \.holdfast\. /)
  expect(after.stdout).not.toContain('Changed on the platform')
  expect(await run('adopt --yes')).toMatchObject({ code: 0, stdout: 'Nothing to adopt.\n' })
  // The apply ends the drift, and changes nothing.
  expect((await run('apply --yes')).stdout).not.toMatch(/to create|to update|to delete/)
})

it('an edit in progress is not overwritten, and a conflict is named until somebody decides it', async () => {
  const { run, read, cwd } = modelsInGit()
  await run('apply --yes')
  await byHand(`
    a: updateCharacteristic(code: "temp", input: { symbol: "K", name: "Heat" }) { code }
    b: updateService(code: "climate", input: { name: "Weather" }) { code }
    c: updateMachineUser(username: "gateway", input: { password: "${strongSecret('other')}" }) { username }
  `)
  const edited = read('models/rooms.yaml')
    .replace('name: "Temperature"', 'name: "Warmth"')
    .replace('name: Humidity', 'name: Damp')
  writeFileSync(join(cwd, 'models/rooms.yaml'), edited)
  const adopted = await run('adopt --yes')
  expect(adopted.stdout).toContain(`Not adopted:
  characteristics/temp: the files and the platform both changed it; name it to take the values of the platform
  machineUsers/gateway: its secret was replaced on the platform, and files hold no secrets; change the variable or file to which the files refer
`)
  expect(read('models/rooms.yaml')).toBe(edited.replace('name: Climate', 'name: Weather'))

  expect(await run('adopt characteristics/hum --yes')).toMatchObject({
    code: 0,
    stdout: 'Nothing to adopt.\nNot adopted:\n  characteristics/hum: only the files changed it\n',
  })
  expect(await run('adopt characteristics/temp --field symbol --yes')).toMatchObject({ code: 0 })
  expect(read('models/rooms.yaml')).toContain(
    'name: "Warmth"\n    characteristicType: MEASUREMENT\n    dataType: FLOAT\n    symbol: K #',
  )
  expect(await run('adopt characteristics/temp --yes')).toMatchObject({ code: 0 })
  expect(read('models/rooms.yaml')).toContain('name: "Heat"')
})

it('grants come into holdfast.yaml, and links and units go with what is deleted', async () => {
  const { run, read, cwd } = modelsInGit()
  writeFileSync(
    join(cwd, 'models/holdfast.yaml'),
    '# Who may what\naccess:\n  - { role: operator, everyone: users } # all\n',
  )
  await run('apply --yes --allow takes-over:access')
  await byHand(`
    a: createGrant(input: { role: VIEWER, machineUser: "gateway" }) { role }
    b: deleteService(code: "climate") { code }
    c: deleteOrganization(recordKey: "lindenhof") { name }
  `)
  const adopted = await run('adopt --yes')
  expect({ code: adopted.code, stderr: adopted.stderr }).toEqual({ code: 0, stderr: 'Look at it: holdfast plan\n' })
  expect(read('models/holdfast.yaml')).toBe(
    '# Who may what\naccess:\n  - { role: operator, everyone: users } # all\n  - { role: viewer, machineUser: gateway }\n',
  )
  expect(read('models/rooms.yaml')).toMatch(/\n\nservices: \[\]\n$/)
  expect(read('models/people.json')).toContain('"organizations": [],\n')
  expect((await run('plan --format json')).stdout).toContain('"changes": []')
})
