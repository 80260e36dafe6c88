import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { serve } from '@hono/node-server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makePackages, TARBALLS } from '../../scripts/packages.ts'
import { holdfast } from '../reconcile/run-command.ts'
import { applyAll } from '../support/domain.ts'
import { installPackage } from '../support/installed-package.ts'
import { makeSystem, type Site } from '../support/site.ts'
import { plainEnvironment } from './fresh-clone.ts'
import { openRealPlatform, type RealPlatform } from './real-platform.ts'

// docs/sample-app, with the packed client, against a platform.

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const SAMPLE_APP = join(ROOT, 'docs/sample-app')

const MODEL = {
  characteristics: [
    { code: 'room-temperature', name: 'Temperature', characteristicType: 'MEASUREMENT', dataType: 'FLOAT' },
    { code: 'room-setpoint', name: 'Setpoint', characteristicType: 'SETTING', dataType: 'FLOAT' },
  ],
  services: [
    { code: 'room-control', name: 'Room', characteristics: [{ code: 'room-temperature' }, { code: 'room-setpoint' }] },
  ],
  componentModels: [
    { code: 'room-thermostat', name: 'Thermostat', componentType: 'DEVICE', services: [{ code: 'room-control' }] },
  ],
}

let folder: string
let app: string
let platform: RealPlatform
let site: Site<'room-temperature'>
let server: ReturnType<typeof serve>
let environment: NodeJS.ProcessEnv
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-sample-app-'))
  await makePackages(folder)
  const installed = await installPackage(join(folder, TARBALLS[1]))
  app = join(installed.app, 'sample-app')
  cpSync(SAMPLE_APP, app, { recursive: true })
  platform = await openRealPlatform()
  await applyAll(platform.context, MODEL)
  site = await makeSystem(platform.context, { model: 'room-thermostat', name: 'Kitchen' }, 1)
  const { fetch, token } = await platform.parts.openEmbedded!({ dataDir: folder, env: {} })
  const url = await new Promise<string>((resolve) => {
    server = serve({ fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => resolve(`http://127.0.0.1:${port}`))
  })
  environment = { HOLDFAST_URL: url, HOLDFAST_TOKEN: token, THERMOSTAT: site.componentUuids[0] }
})
afterAll(async () => {
  server.close()
  await platform.close()
  await rm(folder, { recursive: true, force: true })
})

async function start(...words: readonly string[]): Promise<string> {
  const place = { cwd: app, env: { ...plainEnvironment(), ...environment } }
  const { stdout } = await promisify(execFile)(process.execPath, ['src/main.ts', ...words], place)
  return stdout
}

it('has the types of the sample model', async () => {
  const line = 'types --models models --out docs/sample-app/src/model.ts --check'
  expect(await holdfast(line, { cwd: ROOT })).toMatchObject({ code: 0, stderr: '' })
})

it('reads the latest value of a thermostat, and sets its setpoint', async () => {
  expect(await start()).toBe('no value yet\n')
  await platform.send('/rest/v1/data-points/add', [site.point('room-temperature', 21.46)])
  expect(await start()).toBe('21.5 °C\n')
  expect(await start('20')).toBe('21.5 °C\nset to 20 °C: PENDING\n')
})
