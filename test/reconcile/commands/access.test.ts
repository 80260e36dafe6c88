import { describe, expect, it } from 'vitest'
import { data, FakePlatform, failure } from '../fake-platform.ts'
import { holdfast } from '../run-command.ts'
import { workspace } from '../workspace.ts'

const LINK = { path: '/login/password?link=abc', expiresAt: '2026-01-09T03:04:05Z' }
const KEY = { kid: 'k2', signsFrom: '2026-01-02T03:04:15Z' }

function platform() {
  return new FakePlatform()
    .next('createPasswordLink', () => data({ createPasswordLink: LINK }))
    .next('rotateSigningKey', () => data({ rotateSigningKey: KEY }))
}

describe('invite', () => {
  it('prints the link, and nothing beside it', async () => {
    const there = platform()
    const env = { HOLDFAST_TOKEN: 't' }
    const line = 'invite anna@b.example --url https://a.example'
    const { code, stdout, stderr } = await holdfast(line, { cwd: workspace(), env, platform: there })
    expect(stdout).toBe('https://a.example/login/password?link=abc\n')
    expect(stderr).toBe(
      'Give this link to anna@b.example and to nobody else; it works once, until 2026-01-09T03:04:05Z.\n',
    )
    expect(there.callsOf('createPasswordLink')[0]?.variables).toEqual({ email: 'anna@b.example' })
    expect(code).toBe(0)
  })

  it.each([
    ['https://a.example/base', {}, 'https://a.example/base/login/password?link=abc'],
    [undefined, {}, 'http://localhost:3000/login/password?link=abc'],
    [undefined, { PORT: '8080' }, 'http://localhost:8080/login/password?link=abc'],
    [undefined, { HOLDFAST_BASE_URL: 'https://b.example' }, 'https://b.example/login/password?link=abc'],
  ])('for --url %s and %j is a link to %s', async (url, more, link) => {
    const env = { HOLDFAST_TOKEN: 't', ...more }
    const line = `invite a@b.example --format json${url === undefined ? '' : ` --url ${url}`}`
    const { stdout, stderr } = await holdfast(line, { cwd: workspace(), env, platform: platform() })
    expect(JSON.parse(stdout)).toEqual({ link, expiresAt: LINK.expiresAt })
    expect(stderr.includes('Start the server for it.')).toBe(url === undefined)
  })

  it('says who is not there', async () => {
    const there = new FakePlatform().next('createPasswordLink', () => failure('NOT_FOUND', 'there is no user "x"'))
    const { code, stderr } = await holdfast('invite x', { cwd: workspace(), platform: there })
    expect(stderr).toContain('error: there is no user "x"')
    expect(code).toBe(1)
  })
})

describe('keys rotate', () => {
  it.each([
    ['', 'The key k2 is published now and signs from 2026-01-02T03:04:15Z.\n'],
    [' --format json', `${JSON.stringify({ key: KEY }, null, 2)}\n`],
  ])('says which key comes when%s', async (option, stdout) => {
    const outcome = await holdfast(`keys rotate${option}`, { cwd: workspace(), platform: platform() })
    expect(outcome).toMatchObject({ code: 0, stdout, stderr: '' })
  })
})

it.each([
  ['invite anna@b.example', { createPasswordLink: { ...LINK, expiresAt: '\u001b[2J' } }],
  ['keys rotate', { rotateSigningKey: { ...KEY, kid: '\u001b[2J' } }],
  [
    'access why anna@b.example',
    {
      accessExplanation: {
        steps: [{ about: '\u001b[2J', passes: true, text: '' }],
        rights: ['\u001b[2J'],
        rightsWithin: [],
      },
    },
  ],
])('%s shows nothing of a platform that controls a terminal', async (line, answer) => {
  const [name = ''] = Object.keys(answer)
  const there = new FakePlatform().next(name, () => data(answer))
  const { stdout, stderr } = await holdfast(line, { cwd: workspace(), platform: there })
  expect(stdout + stderr).toContain(String.raw`\u001b[2J`)
  expect(stdout + stderr).not.toContain('\u001b')
})
