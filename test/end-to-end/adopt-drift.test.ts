import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { holdfast } from '../reconcile/run-command.ts'
import { workspace, type Files } from '../reconcile/workspace.ts'
import { strongSecret } from '../support/example-records.ts'
import { openRealPlatform, type RealPlatform } from './real-platform.ts'

// What people change on the platform by hand comes into the files.

let platform: RealPlatform
beforeAll(async () => {
  platform = await openRealPlatform()
})
beforeEach(() => platform.empty())
afterAll(() => platform.close())

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
const ENV = { GATEWAY: strongSecret('gateway') }

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

it('everything that was changed by hand comes into the files, and the plan is empty', async () => {
  const { run, git, read } = modelsInGit()
  expect(await run('apply --yes')).toMatchObject({ code: 0 })
  await byHand(`
    a: updateCharacteristic(code: "temp", input: { symbol: "K", boundaryMin: -40 }) { code }
    b: deleteCharacteristic(code: "noise") { code }
    c: createCharacteristic(input: { code: "co2", name: "CO₂: \${x}", characteristicType: MEASUREMENT, dataType: INTEGER }) { code }
    d: createService(input: { code: "air", name: "Air", characteristics: [{ code: "co2" }] }) { code }
    e: updateService(code: "climate", input: { metadataKeyValueStore: [{ key: "floor", value: { float: 2.5 } }, { key: "door", value: { string: "left" } }] }) { code }
  `)
  console.log((await run('plan')).stdout)
  const out = await run('adopt --yes')
  console.log(out.stdout, out.stderr, git('diff'), read('models/people.json'))
  console.log((await run('plan')).stdout)
})
