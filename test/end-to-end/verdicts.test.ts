import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { workspace, writeFiles } from '../reconcile/workspace.ts'
import { json, runnerOn } from './commands.ts'
import { platform, usePlatform } from './real-platform.ts'

// What a plan says of what it does not change: equal, not compared, changed by somebody in fields that no document names.

usePlatform()
beforeEach(() => platform.empty())
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
    expect(known).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^No changes on \S+\. 3 records of 2 types are as/),
    })
    const unknown = await run('plan --detailed-exitcode', cwd)
    expect(unknown).toMatchObject({
      code: 2,
      stdout: expect.stringMatching(/^No changes found on \S+, 2 records not compared\. 1 record of 2 types is as/),
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
      /^Plan: 1 to update, 1 not compared on \S+ · domain local\n\nNot compared: 1 secret \(machineUsers\/second\)/,
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
    expect(stdout).toMatch(/^No changes on \S+\. 2 records of 2 types are as the documents say;/)
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
    expect(await run('apply --yes', cwd)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^No changes on \S+\. /),
    })
    writeFiles(cwd, { 'models/a.json': MODELS.replace('"Climate"', '"Air"') })
    expect(json(await run('plan --format json', cwd))).not.toHaveProperty('drift')
  })
})

describe('a plan of what a branch changes of its base', () => {
  const MODELS = JSON.stringify({
    services: [{ code: 'climate', name: 'Climate' }],
    users: [{ email: 'ada@example.org' }],
    machineUsers: [{ username: 'gateway', password: '${env:GATEWAY_PASSWORD}' }],
  })

  function committed(): string {
    const cwd = workspace({ 'models/a.json': MODELS })
    const git = (...args: readonly string[]) => execFileSync('git', args, { cwd })
    git('init', '--quiet')
    git('add', 'models')
    git('-c', 'user.name=test', '-c', 'user.email=test@example.com', 'commit', '--quiet', '--message', 'Models')
    return cwd
  }

  it('does not claim that the rest is as the documents say', async () => {
    const cwd = committed()
    const env = { GATEWAY_PASSWORD: 'Zq7-first-secret-8Kd02mfPq71L' }
    expect(await run('apply --yes', cwd, { env })).toMatchObject({ code: 0 })
    await platform.graphql('mutation { updateUser(email: "ada@example.org", input: { name: "Eve" }) { uuid } }')
    await platform.graphql('mutation { updateService(code: "climate", input: { name: "Air" }) { uuid } }')
    const verdict =
      'No changes on .holdfast. The documents change nothing of their base that the platform does not have.'
    const beside = '2 records that somebody changed on the platform, 1 secret that was not compared'
    for (const format of ['text', 'markdown']) {
      const { code, stdout } = await run(`plan --base HEAD --detailed-exitcode --format ${format}`, cwd)
      const text = stdout.replaceAll(/\n +/g, ' ')
      expect([code, text]).toEqual([0, expect.stringContaining(beside)])
      expect(text.replaceAll('`', '')).toContain(verdict)
    }
    expect(json(await run('plan --base HEAD --format json', cwd))).toMatchObject({
      outcome: 'no-changes',
      own: { drifted: 2, notCompared: 1 },
    })
    writeFiles(cwd, { 'models/a.json': MODELS.replace('"Climate"', '"Heating"') })
    expect((await run('plan --base HEAD', cwd)).stdout.replaceAll(/\n +/g, ' ')).toContain(
      beside.replace('2 records', '1 record'),
    )
  })
})

describe('a part of what is managed', () => {
  const user = { email: 'ada@example.org' }
  const WHOLE = { services: [{ code: 'climate', name: 'Climate' }], characteristics: [], users: [user] }
  const PART = { services: [{ code: 'climate', name: 'Air' }] }
  const ACCESS = 'access: [{ role: viewer, user: ada@example.org }]\n'
  const PLAN = `query Plan($document: JSON!, $settings: JSON) { planImport(document: $document, settings: $settings) {
    outcome json scope { type state staysManaged } access { state staysManaged } } }`
  const APPLY = `mutation Apply($document: JSON!, $settings: JSON, $plan: JSON!) {
    applyImport(document: $document, settings: $settings, plan: $plan) { notManaged summary } }`

  async function managed(): Promise<string> {
    const cwd = workspace({ 'models/a.json': JSON.stringify(WHOLE), 'models/holdfast.yaml': ACCESS })
    expect(await run('apply --yes', cwd)).toMatchObject({ code: 0 })
    return cwd
  }
  const planned = async (document: object, settings?: object | null) =>
    ((await platform.graphql(PLAN, { document, settings })) as { planImport: Planned }).planImport

  it('is imported through the API without settings: what is absent is as it was, and still managed', async () => {
    const cwd = await managed()
    const plan = await planned(PART)
    expect(plan.outcome).toBe('CHANGES')
    expect(plan.scope.filter(({ staysManaged }) => staysManaged).map(({ type, state }) => [type, state])).toEqual([
      ['characteristics', 'UNMANAGED'],
      ['users', 'UNMANAGED'],
    ])
    expect(plan.access).toEqual({ state: 'UNMANAGED', staysManaged: true })
    expect(await platform.graphql(APPLY, { document: PART, plan: plan.json })).toEqual({
      applyImport: {
        notManaged: ['characteristics', 'users', 'access'],
        summary: expect.objectContaining({ update: 1 }),
      },
    })
    expect(await platform.graphql('{ applies(first: 1) { nodes { notManaged } } }')).toEqual({
      applies: { nodes: [{ notManaged: ['characteristics', 'users', 'access'] }] },
    })
    // Nothing of it has left the scope: the models still rule over users, and notice what somebody does to them.
    await platform.graphql('mutation { createUser(input: { email: "eve@example.org" }) { uuid } }')
    expect((await planned(PART)).outcome).toBe('NO_CHANGES')
    writeFiles(cwd, { 'models/a.json': JSON.stringify({ ...WHOLE, ...PART }) })
    expect((await run('plan', cwd)).stdout).toMatch(/- users\/eve@example\.org\n.*\n? +created on the platform by /)
  })

  it('stays guarded where settings are sent, also {}, and by the command line without a holdfast.yaml', async () => {
    const cwd = await managed()
    expect((await planned(PART, null)).outcome).toBe('CHANGES')
    expect((await planned(PART, {})).outcome).toBe('BLOCKED')
    const { json: plan } = await planned(PART)
    await expect(platform.graphql(APPLY, { document: PART, settings: {}, plan })).rejects.toThrow('leaves-scope')
    for (const settings of ['', '# nothing is decided\n', '{}\n', null]) {
      rmSync(join(cwd, 'models'), { recursive: true })
      writeFiles(cwd, { 'models/a.json': JSON.stringify(PART) })
      if (settings !== null) writeFiles(cwd, { 'models/holdfast.yaml': settings })
      expect(await run('plan --detailed-exitcode', cwd)).toMatchObject({
        code: 3,
        stdout: expect.stringMatching(/^Plan is blocked: 3 guards need acknowledgement/),
      })
    }
  })
})

interface Planned {
  readonly outcome: string
  readonly json: unknown
  readonly scope: readonly { readonly type: string; readonly state: string; readonly staysManaged: boolean }[]
  readonly access: object
}
