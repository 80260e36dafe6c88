import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readCredentials } from '../../src/server/process/credentials.ts'
import { createPostgresDatabase, type PostgresDatabase } from '../support/databases.ts'
import { freshClone, npmRun, removeClone, type Ended } from './fresh-clone.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { startServer } from './server-process.ts'

// The first hour with Holdfast, in a fresh clone. The tests of a group are one story and run in this order.

const STORY = { timeout: 180_000 }

let clone: string
beforeAll(() => {
  clone = freshClone()
})
afterAll(() => removeClone(clone))

function secretsIn(file: string): string[] {
  return Object.values(parseEnv(readFileSync(file, 'utf8'))).filter((value) => value !== undefined)
}

function expectNoSecret({ all }: Ended): void {
  for (const secret of secretsIn(join(clone, '.env'))) expect(all).not.toContain(secret)
}

/** Changes one line of the sample, and gives the number of that line. */
function editSample(file: string, from: string, to: string): number {
  const path = join(clone, file)
  const text = readFileSync(path, 'utf8')
  expect(text.split(from)).toHaveLength(2)
  writeFileSync(path, text.replace(from, to))
  return text.slice(0, text.indexOf(from)).split('\n').length
}

describe('with nothing but the clone', STORY, () => {
  let server: ServerProcess
  afterAll(() => server.kill())

  it('plans the sample', async () => {
    const planned = await npmRun(clone, 'plan')
    expect(planned.stderr).toMatch(/^Made demo secrets in \.env: [A-Z_, ]+\n$/)
    expect(planned.stdout).toMatch(/^Plan: \d+ to create on \S+ · domain local\n/)
    expect(planned.stdout).toMatch(/^Apply it: npm run apply\n$/m)
    expect(planned.code).toBe(0)
    expect(statSync(join(clone, '.env')).mode & 0o777).toBe(0o600)
    expect(secretsIn(join(clone, '.env')).length).toBeGreaterThan(0)
    expectNoSecret(planned)
  })

  it('applies it', async () => {
    const applied = await npmRun(clone, 'apply --yes')
    expect(applied.stdout).toMatch(/^Applied: \d+ records created on \S+ · domain local$/m)
    expect(applied).toMatchObject({ code: 0, stderr: '' })
    expectNoSecret(applied)
  })

  it('talks to the server that runs on the same directory, and there is nothing to do', async () => {
    server = await startServer(clone)
    const planned = await npmRun(clone, 'plan --detailed-exitcode')
    expect(planned.stdout).toMatch(/^No changes on \S+\. /)
    expect(planned).toMatchObject({ code: 0, stderr: '' })
    expect(server.written()).toContain('"path":"/graphql"')
    const doctor = await npmRun(clone, 'doctor')
    expect(doctor.stdout).toContain(`${server.url}/ answers`)
    expect(doctor.code).toBe(0)
  })

  it('shows a changed line where it stands, applies it and takes it back', async () => {
    const line = editSample('models/energy.yaml', 'name: DC voltage', 'name: Voltage of the string')
    const planned = await npmRun(clone, 'plan --detailed-exitcode')
    expect(planned.code).toBe(2)
    expect(planned.stdout).toMatch(/^Plan: 1 to update on \S+ · domain local\n/)
    expect(planned.stdout).toMatch(new RegExp(`dc-voltage +models/energy\\.yaml:${line - 1}:`))
    expect(planned.stdout).toContain('DC voltage')
    expect(planned.stdout).toContain('Voltage of the string')
    expect(await npmRun(clone, 'apply --yes')).toMatchObject({ code: 0 })
    const undone = await npmRun(clone, 'rollback --yes')
    expect(undone.stdout).toMatch(/^Applied: 1 record updated/m)
    expect(undone.code).toBe(0)
    expect(await npmRun(clone, 'plan --detailed-exitcode')).toMatchObject({ code: 2, stdout: planned.stdout })
    editSample('models/energy.yaml', 'name: Voltage of the string', 'name: DC voltage')
  })

  it('remembers what was done', async () => {
    const { stdout, code } = await npmRun(clone, 'history --format json')
    const { applies } = JSON.parse(stdout) as {
      applies: { summary: object; rollbackOf: string | null; uuid: string }[]
    }
    expect(code).toBe(0)
    expect(applies).toHaveLength(3)
    expect(applies[0]?.rollbackOf).toBe(applies[1]?.uuid)
  })

  it('also after the server was killed', async () => {
    await server.kill()
    const afterwards = await npmRun(clone, 'plan --detailed-exitcode')
    expect(afterwards.stdout).toMatch(/^No changes on \S+\. /)
    expect(afterwards.code).toBe(0)
  })
})

describe('with npm start on PostgreSQL', STORY, () => {
  const secret = 'bootstrap-secret-of-the-first-day'
  const password = 'bootstrap password of the first day'
  const signIn = () => ({
    HOLDFAST_CLIENT_ID: readCredentials(dataDir)?.clientId,
    HOLDFAST_CLIENT_SECRET: secret,
    HOLDFAST_USERNAME: 'operator',
    HOLDFAST_PASSWORD: password,
  })
  let dataDir: string
  let database: PostgresDatabase
  let server: ServerProcess
  beforeAll(async () => {
    dataDir = join(clone, '.holdfast-server')
    database = await createPostgresDatabase()
    const env = {
      DATABASE_URL: database.url,
      HOLDFAST_KEY: Buffer.alloc(32, 7).toString('base64'),
      HOLDFAST_BOOTSTRAP_SECRET: secret,
      HOLDFAST_BOOTSTRAP_PASSWORD: password,
      HOLDFAST_DATA_DIR: dataDir,
    }
    server = await startServer(clone, env)
  })
  afterAll(async () => {
    await server.kill()
    await database.drop()
  })
  const run = (line: string) => npmRun(clone, `${line} --url ${server.url}`, signIn())

  it('refuses who has no credential', async () => {
    const { code, stderr } = await npmRun(clone, `plan --url ${server.url}`)
    expect(stderr).toContain('needs a credential: set HOLDFAST_TOKEN')
    expect(code).toBe(1)
  })

  it('plans, and applies what was planned', async () => {
    const planned = await run('plan --out plan.json')
    expect(planned.stdout).toMatch(/^Plan: \d+ to create on \S+ · domain local\n/)
    const next = `npm run apply -- plan.json --url ${server.url}`
    expect(planned.stdout.trimEnd().split('\n').at(-1)).toBe(`Apply it: ${next}`)
    const applied = await run('apply plan.json')
    expect(applied.stdout).toMatch(/^Applied: \d+ records created/)
    expect(applied.code).toBe(0)
    for (const one of [planned, applied]) expectNoSecret(one)
  })

  it('ends when it is told to, and keeps nothing secret in its log', async () => {
    expect(await server.stop()).toBe(0)
    for (const text of [secret, password, ...secretsIn(join(clone, '.env'))])
      expect(server.written()).not.toContain(text)
  })
})
