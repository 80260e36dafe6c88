import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { isObject, type JsonObject } from '../../../src/lib/json.ts'
import { data, type FakePlatform } from '../fake-platform.ts'
import { drifted, TEXT } from './drifted.ts'

describe('the shown lines', () => {
  it('never show a secret of the files', async () => {
    const text = 'machineUsers:\n  - username: old\n    password: plain-text-of-somebody-2024\n'
    const { run } = drifted({ 'models/a.yaml': TEXT, 'models/b.yaml': text }, [])
    const { stdout } = await run('adopt --dry-run')
    expect(stdout).toContain('-     password: (secret)\n')
    expect(stdout).not.toContain('plain-text')
  })

  it.each([
    ['on its next line', '  - username: old\n    password: >-\n      plain-text\n'],
    ['beside a reference', '  - { username: old, password: plain-text } # was ${env:OLD}\n'],
    [
      'of another record on the line',
      '  [{ username: old, password: "${env:OLD}" }, { username: other, password: plain-text }]\n',
    ],
    [
      'by another name',
      '  - username: old\n    password: "${env:OLD}"\n    status: ACTIVATED # its token is plain-text\n',
    ],
  ])('never show a secret %s', async (_, list) => {
    const { platform, run } = drifted({ 'models/b.yaml': `machineUsers:\n${list}` })
    platform.live = { machineUsers: list.includes('other') ? [{ username: 'other', password: 'x' }] : [] }
    const { code, stdout } = await run('adopt --dry-run')
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('(secret)') })
    expect(stdout).not.toContain('plain-text')
  })
})

describe('a new record with a secret', () => {
  const files = { 'models/a.yaml': 'machineUsers: []\n' }
  const machineUsers = [{ username: 'new', password: 'a-secret-on-the-platform-2024' }]
  const env = { AWS_SECRET_ACCESS_KEY: 'of-the-job', MACHINE_USER_NEW_PASSWORD: 'of-the-user' }

  it('refers to it by the name of an export, and nothing of the environment is sent', async () => {
    const { platform, run, read } = drifted(files)
    platform.live = { machineUsers }
    expect(await run('adopt --yes', { env })).toMatchObject({ code: 0 })
    expect(read()).toBe('machineUsers:\n  - { username: new, password: "${env:MACHINE_USER_NEW_PASSWORD}" }\n')
    expect(JSON.stringify(platform.calls)).not.toContain('of-the-user')
  })

  it.each(['a-secret-of-the-platform', '${env:AWS_SECRET_ACCESS_KEY}', '${file:../secrets/key.pem}'])(
    'has its own reference even if a platform sends %s',
    async (password) => {
      const { platform, run, read } = drifted({ ...files, 'secrets/key.pem': 'of-the-key' })
      platform.live = { machineUsers }
      platform.next('importDocument', () => data({ importDocument: { machineUsers: [{ username: 'new', password }] } }))
      sendBefore(platform, { username: 'new' }, { password })
      const { code, stdout } = await run('adopt --yes', { env })
      expect({ code, read: read() }).toEqual({ code: 0, read: expect.stringContaining('{env:MACHINE_USER_NEW_PASS') })
      expect(stdout + read() + JSON.stringify(platform.calls)).not.toMatch(
        /a-secret-of|AWS_|key\.pem|of-the-job|of-the-key/,
      )
    },
  )

  it('has a variable that no other record has', async () => {
    const text = 'machineUsers:\n  - { username: old, password: "${env:MACHINE_USER_NEW_PASSWORD}" }\n'
    const { platform, run, read } = drifted({ 'models/a.yaml': text })
    platform.live = { machineUsers: [{ username: 'old', password: '${env:OLD}' }, ...machineUsers] }
    expect(await run('adopt --yes')).toMatchObject({ code: 0 })
    expect(read()).toBe(`${text}  - { username: new, password: "\${env:MACHINE_USER_NEW_PASSWORD_2}" }\n`)
  })

  it('keeps a secret that the platform makes', async () => {
    const { platform, run, read } = drifted(files)
    platform.live = { machineUsers: [{ username: 'new', password: '${generated}' }] }
    expect(await run('adopt --yes')).toMatchObject({ code: 0 })
    expect(read()).toContain('password: "${generated}"')
  })
})

it('a secret of the files stays, whatever a platform sends in its place', async () => {
  const text = 'machineUsers:\n  - { username: old, password: "${env:OLD}", status: DEACTIVATED }\n'
  const { platform, run, read } = drifted({ 'models/a.yaml': text })
  platform.live = { machineUsers: [{ username: 'old', password: '${env:OLD}', status: 'ACTIVATED' }] }
  sendBefore(platform, { username: 'old' }, { password: 'chosen-by-the-platform' })
  expect(await run('adopt --yes')).toMatchObject({ code: 0 })
  expect(read()).toBe(text.replace('DEACTIVATED', 'ACTIVATED'))
})

/** Adds values to what a plan says of the present state of a record. */
function sendBefore(platform: FakePlatform, record: JsonObject, more: JsonObject): void {
  const { fetch } = platform
  const add = (_: string, value: unknown) =>
    isObject(value) && isObject(value['before']) && holds(value['before'], record)
      ? { ...value, before: { ...value['before'], ...more } }
      : value
  platform.fetch = async (request) => Response.json(JSON.parse(await (await fetch(request)).text(), add))
}

function holds(value: object, part: object): boolean {
  return isDeepStrictEqual(value, { ...value, ...part })
}
