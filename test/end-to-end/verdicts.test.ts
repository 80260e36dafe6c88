import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { workspace, writeFiles } from '../reconcile/workspace.ts'
import { json, runnerOn } from './commands.ts'
import { openRealPlatform, type RealPlatform } from './real-platform.ts'

// What a plan says of what it does not change: equal, not compared, changed by somebody in fields that no document names.

let platform: RealPlatform
beforeAll(async () => {
  platform = await openRealPlatform()
})
beforeEach(() => platform.empty())
afterAll(() => platform.close())
const run = runnerOn(() => platform)

describe('secrets that are not resolved', () => {
  const MODELS = JSON.stringify({
    services: [{ code: 'climate', name: 'Climate' }],
    machineUsers: ['first', 'second'].map((username) => ({
      username,
      password: `\${env:${username.toUpperCase()}_PASSWORD}`,
    })),
  })
  const env = { FIRST_PASSWORD: 'Zq7-first-secret-8Kd02mfPq71L', SECOND_PASSWORD: 'Zq7-other-secret-8Kd02mfPq71L' }

  async function applied(): Promise<string> {
    const cwd = workspace({ 'models/a.json': MODELS })
    expect(await run('apply --yes', cwd, { env })).toMatchObject({ code: 0 })
    return cwd
  }

  it('are no proof of equality: in text, JSON, markdown and exit code', async () => {
    const cwd = await applied()
    const known = await run('plan --detailed-exitcode', cwd, { env })
    expect(known).toMatchObject({ code: 0, stdout: expect.stringMatching(/^No changes\. 3 records of 2 types are as/) })
    const unknown = await run('plan --detailed-exitcode', cwd)
    expect(unknown).toMatchObject({
      code: 2,
      stdout: expect.stringMatching(/^No changes found, 2 records not compared\. 1 record of 2 types is as/),
    })
    expect(unknown.stdout.replaceAll(/\n +/g, ' ')).toContain(
      'Not compared: 2 secrets (machineUsers/first, machineUsers/second): the reference is not resolved here',
    )
    expect((await run('plan --format markdown', cwd)).stdout).toContain(
      '> Not compared: 2 secrets (`machineUsers/first`',
    )
    const asJson = await run('plan --format json --detailed-exitcode', cwd)
    expect([asJson.code, json(asJson)]).toMatchObject([
      2,
      {
        outcome: 'no-changes',
        summary: { unchanged: 1, notCompared: 2 },
        notCompared: ['first', 'second'].map((key) => ({
          type: 'machineUsers',
          key,
          field: 'password',
          reason: 'not-resolved',
        })),
      },
    ])
  })

  it('are said beside the changes of others, and kept in a plan file', async () => {
    const cwd = await applied()
    writeFiles(cwd, { 'models/a.json': MODELS.replace('"Climate"', '"Air"') })
    expect((await run('plan --out plan.json', cwd, { env: { FIRST_PASSWORD: env.FIRST_PASSWORD } })).stdout).toMatch(
      /^Plan: 1 to update, 1 not compared · domain local\n\nNot compared: 1 secret \(machineUsers\/second\)/,
    )
    expect(await run('apply plan.json --yes', cwd)).toMatchObject({ code: 0 })
  })

  it('are left as they are by an apply, which does not claim more', async () => {
    const cwd = await applied()
    expect((await run('apply --yes', cwd)).stdout).toMatch(/Nothing was applied; 2 not compared\.\n$/)
    expect(await run('plan --detailed-exitcode', cwd, { env })).toMatchObject({ code: 0 })
  })

  it('nor does an export tell anything about them', async () => {
    const cwd = await applied()
    writeFiles(cwd, { 'live.yaml': (await run('export --managed', cwd)).stdout })
    const { code, stdout } = await run('plan --against live.yaml --detailed-exitcode', cwd, { env })
    expect([code, stdout.replaceAll(/\n +/g, ' ')]).toEqual([2, expect.stringContaining('an export holds none')])
  })
})

describe('fields that no document names', () => {
  const MODELS = JSON.stringify({
    services: [{ code: 'climate', name: 'Climate' }],
    users: [{ email: 'ada@example.org' }],
  })
  const rename = 'mutation { updateUser(email: "ada@example.org", input: { name: "Eve" }) { uuid } }'

  async function drifted(): Promise<string> {
    const cwd = workspace({ 'models/a.json': MODELS })
    expect(await run('apply --yes', cwd)).toMatchObject({ code: 0 })
    expect((await run('plan', cwd)).stdout).not.toContain('Changed on the platform')
    await platform.graphql(rename)
    return cwd
  }

  it('are shown with who changed them, in text, JSON and markdown, and have no exit code', async () => {
    const cwd = await drifted()
    const { code, stdout } = await run('plan --detailed-exitcode', cwd)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^No changes\. 2 records of 2 types are as the documents say;/)
    expect(stdout).toContain('Changed on the platform, not in the documents  1 field of 1 record\n')
    expect(stdout).toMatch(/ {2}users\/ada@example\.org\n {6}\+ name {2}Eve\n {6}by \S+ at \d{4}-/)
    expect((await run('plan --format markdown', cwd)).stdout).toContain(
      '#### Changed on the platform, not in the documents (1 field of 1 record)',
    )
    expect(json(await run('plan --format json', cwd))['drift']).toMatchObject([
      { type: 'users', key: 'ada@example.org', field: 'name', before: null, after: 'Eve' },
    ])
  })

  it('are not settled by an apply that leaves them alone, but by one of models that name them', async () => {
    const cwd = await drifted()
    writeFiles(cwd, { 'models/a.json': MODELS.replace('"Climate"', '"Air"') })
    expect(await run('plan --out plan.json', cwd)).toMatchObject({ code: 0 })
    expect(await run('apply plan.json --yes', cwd)).toMatchObject({ code: 0 })
    expect(json(await run('plan --format json', cwd))).toMatchObject({
      outcome: 'no-changes',
      drift: [{ field: 'name' }],
    })
    writeFiles(cwd, {
      'models/a.json': MODELS.replace('"Climate"', '"Air"').replace('example.org"', '$&, "name": "Eve"'),
    })
    expect(await run('apply --yes', cwd)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^No changes\. /) })
    writeFiles(cwd, { 'models/a.json': MODELS.replace('"Climate"', '"Air"') })
    expect(json(await run('plan --format json', cwd))).not.toHaveProperty('drift')
  })
})
