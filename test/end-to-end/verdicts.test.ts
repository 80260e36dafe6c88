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
