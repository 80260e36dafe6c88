import { beforeEach, describe, expect, it } from 'vitest'
import { checkPassword } from '../../src/platform/access/accounts/accounts.ts'
import { ensureBootstrap } from '../../src/platform/access/accounts/bootstrap.ts'
import { workspace, writeFiles } from '../reconcile/workspace.ts'
import { json, runnerOn } from './commands.ts'
import { platform, usePlatform } from './real-platform.ts'

// What the platform signs in with for itself is no part of the data model: no way leads to a
// document that makes it, changes it, renames it or deletes it, and each of them says so, where, and what to do.

const PASSWORD = 'Kd02mfPq71LxZr5Tn3vWy9B'
const METER = { username: 'meter', password: `${PASSWORD}-meter` }
const OPERATOR = { username: 'operator', password: `${PASSWORD}-other` }
const machineUsers = (...list: readonly object[]) => JSON.stringify({ machineUsers: list }, null, 1)

usePlatform()
beforeEach(async () => {
  await platform.empty()
  const own = { text: PASSWORD, mayReplace: true }
  await ensureBootstrap(
    platform.context,
    () => ({ clientSecret: own, password: own }),
    () => undefined,
  )
})
const run = runnerOn(() => platform)

const signsIn = async (password = PASSWORD) => (await checkPassword(platform.context, 'operator', password)) !== null

describe('the bootstrap operator', () => {
  it('is not in an export, and a document without it does not delete it', async () => {
    const cwd = workspace({ 'models/a.json': machineUsers(METER) })
    expect(await run('apply --yes', cwd)).toMatchObject({ code: 0 })
    expect(json(await run('export --format json', cwd))['machineUsers']).toMatchObject([{ username: 'meter' }])
    writeFiles(cwd, { 'models/a.json': '{"machineUsers": []}' })
    expect(await run('apply --yes --allow empties-type:machineUsers', cwd)).toMatchObject({ code: 0 })
    expect(await signsIn()).toBe(true)
  })

  it.each([
    [
      'is named by a document',
      machineUsers(METER, OPERATOR),
      '',
      'models/a.json:8:4',
      'leave it out, or choose another username',
    ],
    [
      'is a new name',
      machineUsers(OPERATOR),
      'moved: [{ type: machineUsers, from: meter, to: operator }]',
      'models/a.json:4:4',
      'leave it out, or choose another username',
    ],
    [
      'is an old name',
      machineUsers({ ...METER, username: 'x' }),
      'moved: [{ type: machineUsers, from: operator, to: x }]',
      'models/holdfast.yaml:1:9',
      'remove the entry',
    ],
  ])('%s', async (_, models, settings, place, advice) => {
    const cwd = workspace({ 'models/a.json': machineUsers(METER) })
    expect(await run('apply --yes', cwd)).toMatchObject({ code: 0 })
    writeFiles(cwd, { 'models/a.json': models, 'models/holdfast.yaml': `${settings}\n` })
    for (const command of ['plan', 'apply --yes']) {
      const { code, stdout, stderr } = await run(command, cwd)
      expect(code).toBe(1)
      expect((stdout + stderr).replaceAll(/\s+/g, ' ')).toContain(
        `${place}: error reserved-key: "operator" is the platform's own MachineUser, which no document creates, changes, moves or deletes: ${advice}`,
      )
    }
    expect(await signsIn()).toBe(true)
  })

  it('needs no grant, and says so where it gets one', async () => {
    const settings = 'access: [{ role: administrator, machineUser: operator }]\n'
    const cwd = workspace({ 'models/a.json': machineUsers(METER), 'models/holdfast.yaml': settings })
    const { code, stderr } = await run('plan', cwd)
    expect(code).toBe(1)
    expect(stderr).toContain('holdfast.yaml')
    expect(stderr).toContain('which the platform reserves and which may do everything')
  })

  it('is created, changed and deleted by no mutation', async () => {
    const create = 'mutation ($input: MachineUserInput!) { createMachineUser(input: $input) { uuid } }'
    await expect(platform.graphql(create, { input: OPERATOR })).rejects.toThrow(/platform's own MachineUser/)
    const change = 'mutation { updateMachineUser(username: "operator", input: { status: ARCHIVED }) { uuid } }'
    await expect(platform.graphql(change)).rejects.toThrow(/platform's own MachineUser/)
    const remove = 'mutation { deleteMachineUser(username: "operator") { uuid } }'
    await expect(platform.graphql(remove)).rejects.toThrow(/platform's own MachineUser/)
    expect(await signsIn()).toBe(true)
  })

  it('is not brought back by a rollback of somebody else', async () => {
    const cwd = workspace({ 'models/a.json': machineUsers(METER) })
    await run('apply --yes', cwd)
    expect(await run('rollback --yes', cwd)).toMatchObject({ code: 0 })
    expect(await signsIn()).toBe(true)
  })

  it('whose place a document took before that was refused does not go without a word', async () => {
    const cwd = workspace({ 'models/a.json': machineUsers(METER, { ...OPERATOR, username: 'former' }) })
    expect(await run('apply --yes', cwd)).toMatchObject({ code: 0 })
    const { database, domain } = platform.context
    await database.transaction(async (sql) => {
      await sql.query(`delete from platform_records where domain_id = $1 and key = 'operator'`, [domain.id])
      await sql.query(
        `update records set key = 'operator', body = jsonb_set(body, '{username}', '"operator"')
        where domain_id = $1 and key = 'former'`,
        [domain.id],
      )
    })
    writeFiles(cwd, { 'models/a.json': machineUsers(METER) })
    const { code, stdout } = await run('plan --detailed-exitcode', cwd)
    expect(code).toBe(3)
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('protected: the platform signs in with this key')
  })
})
