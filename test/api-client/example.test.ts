import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { connect } from '../../src/api-client/index.ts'
import { readCredentials } from '../../src/server/process/credentials.ts'
import { readPage } from '../end-to-end/documents.ts'
import { blocks } from '../end-to-end/markdown.ts'
import { Houses } from '../simulate/houses.ts'
import { command } from '../simulate/real-server.ts'
import { operatorToken } from '../support/password-token.ts'

// The example of docs/start/app-developers.md, as a program of its own, against a server with the sample model.

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const CLIENT = join(ROOT, 'src/api-client/index.ts')
const MODELS = join(ROOT, 'models')
const run = promisify(execFile)
const SYSTEM = '6f1c0a52-8d0e-4a3b-9a53-0d6f3d1c7a10'

let houses: Houses
let thermostat: string
beforeAll(async () => {
  houses = await Houses.open()
  const { createComponent } = await houses.server.graphql<{ createComponent: { uuid: string } }>(`mutation {
    createSystem(input: { uuid: "${SYSTEM}", name: "Plant room" }) { uuid }
    createComponent(input: { system: "${SYSTEM}", componentModel: "room-thermostat", name: "Hall" }) { uuid }
  }`)
  thermostat = createComponent.uuid
})
afterAll(() => houses.server.close())

it('the example for app developers compiles with the types of the sample model, and runs', async () => {
  const [example = ''] = blocks(readPage('docs/start/app-developers.md'), 'ts').filter((text) => text.includes('send('))
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-example-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  writeFileSync(join(directory, 'package.json'), '{"type": "module"}')
  writeFileSync(join(directory, 'app.ts'), example.replace("'holdfast/client'", JSON.stringify(CLIENT)))
  const model = join(directory, 'model.ts')
  const { dataDir: cwd } = houses.server
  expect(await command(`types --models ${MODELS} --out ${model}`, { dataDir: cwd })).toMatchObject({ code: 0 })
  const options = { typeRoots: [join(ROOT, 'node_modules/@types')] }
  const project = { extends: join(ROOT, 'tsconfig.json'), compilerOptions: options, include: ['app.ts'] }
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify(project))
  await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '--project', directory])
  const { url, dataDir } = houses.server
  const env = { HOLDFAST_URL: url, HOLDFAST_TOKEN: await operatorToken(url, dataDir), THERMOSTAT: thermostat }
  const { stdout } = await run(process.execPath, [join(directory, 'app.ts')], {
    env: { ...process.env, ...env },
  })
  expect(stdout.split('\n').slice(0, 5)).toStrictEqual([
    '19.5',
    '2026-03-01T06:00:00.000Z 19.5',
    '[ [ 19.5, 19.5 ] ]',
    'PENDING',
    'BAD_USER_INPUT 422 [',
  ])
  expect(stdout).toContain("pointer: '/0/value'")
})

it('a script signs in with its credentials', async () => {
  const { url, dataDir } = houses.server
  const known = readCredentials(dataDir)
  if (known === null) throw new Error('there are no credentials')
  const { clientId, clientSecret, username, password } = known
  const credentials = { clientId, clientSecret, username, password }
  const component = connect({ url, credentials }).component('room-thermostat', thermostat)
  expect(await component.latest('room-control/room-temperature')).toBe(19.5)
  const wrong = connect({ url, credentials: { ...credentials, password: 'another password' } })
  await expect(wrong.pendingSetpoints()).rejects.toMatchObject({ code: 'UNAUTHENTICATED', retryable: false })
})
