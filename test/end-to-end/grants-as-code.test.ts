import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { holdfast } from '../reconcile/run-command.ts'
import { workspace, writeFiles } from '../reconcile/workspace.ts'
import { strongSecret } from '../support/example-records.ts'
import { blocks } from './markdown.ts'
import { platform, usePlatform } from './real-platform.ts'

const GUIDE = readFileSync(new URL('../../docs/how-to/rights.md', import.meta.url), 'utf8')
const [ACCESS = ''] = blocks(GUIDE, 'yaml')

const MODELS = JSON.stringify({
  users: [{ email: 'anna@example.com' }, { email: 'bert@example.com' }],
  machineUsers: [{ username: 'weather', password: strongSecret('weather') }],
  organizations: [{ name: 'Lindenhof', alias: 'lindenhof', organizationUnits: [{ name: 'North', alias: 'north' }] }],
})

usePlatform()
beforeEach(() => platform.empty())

const site = (settings: string) => workspace({ 'models/a.json': MODELS, 'models/holdfast.yaml': settings })
const run = (line: string, cwd: string) => holdfast(line, { cwd, parts: platform.parts })

describe('grants in holdfast.yaml', () => {
  it('are planned as the guide shows, with their places, and applied', async () => {
    const cwd = site('')
    expect(await run('apply --yes', cwd)).toMatchObject({ code: 0 })
    writeFiles(cwd, { 'models/holdfast.yaml': ACCESS })
    const planned = await run('plan --detailed-exitcode', cwd)
    expect(planned.code).toBe(3)
    expect(planned.stdout).toMatch(/^ {2}\+ anna@example\.com becomes administrator +models\/holdfast\.yaml:2:5$/m)
    expect(planned.stdout).toMatch(/^ {2}\+ machine user weather becomes operator +models\/holdfast\.yaml:3:5$/m)
    const [entry = '', digest = ''] =
      /- { code: widens-access, type: access, digest: (sha256:[0-9a-f]{64}), reason: … }\n/.exec(planned.stdout) ?? []
    expect(planned.stdout).toContain(`--allow widens-access:${digest}\n`)

    writeFiles(cwd, { 'models/holdfast.yaml': `${ACCESS}acknowledge:\n  ${entry.replace('…', 'the first grants')}` })
    const applied = await run('apply --yes', cwd)
    expect(applied).toMatchObject({ code: 0, stdout: expect.stringContaining('5 grants changed') as string })
    expect((await run('plan', cwd)).stdout).toContain('5 grants as holdfast.yaml says')
    expect((await run('history', cwd)).stdout).toContain('5 grants')
  })

  it('are exported, read again by --against, and taken back by a rollback', async () => {
    const cwd = site(ACCESS)
    expect(await run('apply --yes', cwd)).toMatchObject({ code: 0 })
    const exported = await run('export --managed', cwd)
    writeFiles(cwd, { 'live.yaml': exported.stdout })
    expect((await run('plan --against live.yaml', cwd)).stdout).toMatch(/^No changes found, .* 5 grants/)
    writeFiles(cwd, { 'models/holdfast.yaml': 'access: [{ role: viewer, user: bert@example.com }]\n' })
    const offline = await run('plan --against live.yaml', cwd)
    expect(offline.stdout).toContain('  - anna@example.com is no longer administrator\n')

    rmSync(join(cwd, 'models'), { recursive: true })
    expect(await run('export --out models', cwd)).toMatchObject({ code: 0, stderr: '' })
    expect((await run('plan', cwd)).stdout).toMatch(/^No changes found on .* 5 grants/)
    writeFiles(cwd, { 'models/holdfast.yaml': 'protect: []\n' })
    expect((await run('export --out models', cwd)).stderr).toContain(
      'stays as it is; these are the grants of the platform',
    )

    const without = ACCESS.replace(/^.*weather.*\n/m, '')
    writeFiles(cwd, { 'models/holdfast.yaml': without })
    expect((await run('apply --yes', cwd)).stdout).toContain('  - machine user weather is no longer operator')
    const blocked = await run('rollback --yes', cwd)
    const [allow] = /--allow widens-access:sha256:\w+/.exec(blocked.stdout) ?? []
    const undone = await run(`rollback --yes ${allow}`, cwd)
    expect(undone.stdout).toContain('  + machine user weather becomes operator\n')
    const { accessDocument } = (await platform.graphql('{ accessDocument }')) as { accessDocument: unknown[] }
    expect(accessDocument).toHaveLength(5)
  })

  it('an older plan is applied exactly, or not at all', async () => {
    const cwd = site('')
    expect(await run('apply --yes', cwd)).toMatchObject({ code: 0 })
    writeFiles(cwd, { 'models/holdfast.yaml': 'access: [{ role: viewer, user: bert@example.com }]\n' })
    const [allow] = /--allow widens-access:sha256:\w+/.exec((await run('plan', cwd)).stdout) ?? []
    expect(await run(`plan --out plan.json ${allow}`, cwd)).toMatchObject({ code: 0 })
    writeFiles(cwd, { 'models/holdfast.yaml': 'access: [{ role: editor, user: bert@example.com }]\n' })
    const stale = await run(`apply plan.json --yes ${allow}`, cwd)
    expect(stale.code).not.toBe(0)
    expect(stale.stderr).toContain('access/viewer/user/bert@example.com')
    writeFiles(cwd, { 'models/holdfast.yaml': 'access: [{ role: viewer, user: bert@example.com }]\n' })
    expect(await run(`apply plan.json --yes ${allow}`, cwd)).toMatchObject({ code: 0 })
    expect(await platform.graphql('{ accessDocument }')).toEqual({
      accessDocument: [{ role: 'viewer', user: 'bert@example.com' }],
    })
  })

  it('mistakes are found without a platform, at their places', async () => {
    const cwd = site(`access:
  - { role: viewer, user: ana@example.com }
  - { role: viewer, user: bert@example.com, organization: lindenhof }
  - { role: editor, machineUser: weather, withinOwnOrganization: true }
  - { role: editor, everyone: users, within: lindenhof/nort }
  - { role: editor, everyone: users }
  - { role: editor, everyone: users }
`)
    const { code, stdout } = await run('validate', cwd)
    expect(code).toBe(1)
    const places = [
      ...stdout.matchAll(
        /^models\/holdfast\.yaml:(\d+:\d+)\D.*?\b(dangling-reference|grant-\w+|duplicate-identity)\b/gm,
      ),
    ]
    expect(places.map(([, place, what]) => `${place} ${what}`)).toEqual([
      '2:21 dangling-reference',
      '3:5 grant-subject',
      '4:43 grant-place',
      '5:38 dangling-reference',
      '7:5 duplicate-identity',
    ])
    expect(stdout).toContain('there is no User "ana@example.com" in the models or on the platform')
    expect(stdout).toContain('Did you mean "anna@example.com"?')
  })

  it('by GraphQL they stand in the settings', async () => {
    const query = `query ($settings: JSON) {
      planImport(document: {}, settings: $settings) { outcome pointers access { state desired actual changes } }
    }`
    const settings = { access: [{ role: 'viewer', everyone: 'users' }] }
    expect(await platform.graphql(query, { settings })).toMatchObject({
      planImport: {
        outcome: 'CHANGES',
        pointers: { 'access/viewer/everyone/users': '/access/0' },
        access: {
          state: 'MANAGED',
          desired: 1,
          changes: expect.arrayContaining([expect.objectContaining({ action: 'create' })]) as object,
        },
      },
    })
  })

  it('in the models they are refused with the place where they belong', async () => {
    const cwd = workspace({ 'models/a.yaml': 'access: []\n' })
    const { code, stdout } = await run('validate', cwd)
    expect({ code, stdout }).toMatchObject({ code: 1, stdout: expect.stringContaining('holdfast.yaml') as string })
  })
})
