import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FakePlatform, data } from '../fake-platform.ts'
import { characteristic, live } from '../sample.ts'
import { holdfast } from '../run-command.ts'
import { workspace } from '../workspace.ts'

const FIRST = '00000000-0000-4000-8000-000000000001'
const SECOND = '00000000-0000-4000-8000-000000000002'

/** A platform that was applied to once: `a` got another name, `b` was created. */
async function applied(): Promise<{ cwd: string; platform: FakePlatform }> {
  const platform = new FakePlatform(live('a'))
  const document = { characteristics: [characteristic('a', { name: 'Renamed' }), characteristic('b')] }
  const cwd = workspace({ 'models/a.json': JSON.stringify(document) })
  expect(await holdfast('apply --yes', { cwd, platform })).toMatchObject({ code: 0 })
  return { cwd, platform }
}

describe('history', () => {
  it('lists the applies, the latest first', async () => {
    const { stdout, code } = await holdfast('history', await applied())
    expect(stdout).toBe(
      `Applies on .holdfast\n` +
        `WHEN                  APPLY                                 WHO       DID    FROM\n` +
        `2026-01-02T03:04:05Z  ${FIRST}  operator  +1 ~1  0123456789ab main\n`,
    )
    expect(code).toBe(0)
  })

  it('as JSON and as Markdown', async () => {
    const session = await applied()
    const json = await holdfast('history --format json', session)
    expect(JSON.parse(json.stdout)).toMatchObject({ applies: [{ uuid: FIRST, actor: 'operator' }] })
    const markdown = await holdfast('history --format markdown', session)
    expect(markdown.stdout.split('\n')[4]).toBe(
      `| \`2026-01-02T03:04:05Z\` | \`${FIRST}\` | \`operator\` | \`+1 ~1\` | \`0123456789ab main\` |`,
    )
  })

  it('of a platform that nothing was applied to', async () => {
    const outcome = await holdfast('history', { cwd: workspace(), platform: new FakePlatform() })
    expect(outcome).toMatchObject({ code: 0, stdout: 'Nothing was ever applied on .holdfast.\n' })
  })

  it('shows what one apply did, field by field', async () => {
    const { stdout } = await holdfast(`history ${FIRST}`, await applied())
    expect(stdout).toContain('2 changes\n~ characteristics/a\n    name: A → Renamed\n+ characteristics/b\n')
  })

  it('a hostile name forges neither a line nor a colour', async () => {
    const platform = new FakePlatform().next('applies', () =>
      data({
        applies: {
          nodes: [
            {
              uuid: FIRST,
              at: '2026-01-02T03:04:05Z',
              actor: 'eve\n\x1b[32mall is well`|\u202e',
              planDigest: 'sha256:0',
              summary: { create: 1, update: 0, delete: 0, move: 0, unchanged: 0, unmanagedTypes: 0 },
              origin: null,
              scope: [],
              rollbackOf: null,
            },
          ],
        },
      }),
    )
    const { stdout } = await holdfast('history', { cwd: workspace(), platform })
    expect(stdout.trimEnd().split('\n')).toHaveLength(3)
    expect(stdout).toContain(String.raw`eve\n\u001b[32mall is well`)
    expect(stdout).not.toContain('\u202e')
  })
})

describe('rollback', () => {
  it('undoes the latest apply, and is an apply itself', async () => {
    const session = await applied()
    const outcome = await holdfast('rollback', { ...session, answer: 'y' })
    expect(outcome.questions).toEqual([`Undo apply ${FIRST} in domain local on .holdfast? [y/N] `])
    expect(outcome.stdout).toContain('Applied: 1 record updated, 1 record deleted')
    expect(outcome.code).toBe(0)
    expect(session.platform.live).toEqual(live('a'))
    expect(session.platform.callsOf('applyImport')[1]?.variables['origin']).toMatchObject({ rollbackOf: FIRST })
    expect((await holdfast('history', session)).stdout).toContain(`${SECOND}  operator  ~1 -1  rollback of ${FIRST}`)
  })

  it('reads no settings from outside of the repository', async () => {
    const session = await applied()
    const outside = workspace({ 'holdfast.yaml': 'protect: []\n' })
    mkdirSync(join(session.cwd, '.git'))
    symlinkSync(join(outside, 'holdfast.yaml'), join(session.cwd, 'models/holdfast.yaml'))
    expect(await holdfast('rollback --yes', session)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        'models/holdfast.yaml:1:1: error unreadable-file: it cannot be read: only files inside',
      ),
    })
  })

  it('or the one that is named', async () => {
    const session = await applied()
    await holdfast('rollback --yes', session)
    expect(await holdfast(`rollback ${SECOND} --yes`, session)).toMatchObject({ code: 0 })
    expect((session.platform.live['characteristics'] as readonly unknown[]).length).toBe(2)
  })

  it('takes a UUID in capitals, as history does', async () => {
    const { stderr } = await holdfast('rollback ABCDEF00-0000-4000-8000-000000000001 --yes', await applied())
    expect(stderr).toContain('there is no such apply')
  })

  it('passes the guards of an apply, and --allow acknowledges them', async () => {
    const platform = new FakePlatform({ characteristics: [] })
    const cwd = workspace({ 'models/a.json': JSON.stringify(live('a')) })
    await holdfast('apply --yes', { cwd, platform })
    const refused = await holdfast('rollback --yes --format json', { cwd, platform })
    expect(refused.code).toBe(1)
    const { error } = JSON.parse(refused.stdout) as { error: unknown }
    expect(error).toMatchObject({ code: 'BLOCKED', details: [{ code: 'empties-type', type: 'characteristics' }] })
    const allowed = await holdfast('rollback --yes --allow empties-type:characteristics', { cwd, platform })
    expect(allowed.code).toBe(0)
    expect(platform.live).toEqual({ characteristics: [] })
  })
})
