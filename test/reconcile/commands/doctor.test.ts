import { describe, expect, it } from 'vitest'
import { checkNode } from '../../../src/reconcile/health.ts'
import { checkClock } from '../../../src/reconcile/platform-health.ts'
import { data, failure } from '../fake-platform.ts'
import { models } from '../sample.ts'
import { holdfast } from '../session.ts'
import { workspace } from '../workspace.ts'

const FILES = { 'models/a.json': models('a') }

/** A platform that is well, whose clock stands at `date`. */
function platformAt(date: string, answer: () => Response) {
  return async ({ url }: Request) => (url.endsWith('/healthz') ? new Response('ok', { headers: { date } }) : answer())
}

describe('doctor', () => {
  it('without a platform looks at what is here, and makes nothing', async () => {
    const cwd = workspace(FILES)
    const { code, stdout } = await holdfast('doctor', { cwd })
    expect(stdout.split('\n').map((line) => line.slice(0, 24).trimEnd())).toEqual([
      'ok       node',
      'ok       models',
      'ok       data directory',
      'ok       platform',
      '',
    ])
    expect(stdout).toContain(`${cwd}/.holdfast (made when it is needed)`)
    expect(code).toBe(0)
  })

  it('asks a platform whether it is well, what time it is, and whether it accepts the credential', async () => {
    const fetch = platformAt('Fri, 02 Jan 2026 03:04:00 GMT', () => data({ currentDomain: { name: 'lindenhof' } }))
    const { code, stdout } = await holdfast('doctor --url http://localhost --format json', {
      cwd: workspace(FILES),
      env: { HOLDFAST_TOKEN: 't' },
      fetch,
    })
    expect((JSON.parse(stdout) as { checks: unknown[] }).checks.slice(2)).toEqual([
      { name: 'platform', ok: true, message: 'http://localhost/ answers' },
      { name: 'clock', ok: true, message: 'within 5 s of the platform' },
      { name: 'credential', ok: true, message: 'accepted for domain lindenhof' },
    ])
    expect(code).toBe(0)
  })

  it('says what to do about each problem, and exits with 1', async () => {
    const fetch = platformAt('Fri, 02 Jan 2026 04:04:05 GMT', () =>
      failure('UNAUTHENTICATED', 'the token has expired; sign in again'),
    )
    const cwd = workspace({ 'models/a.json': '{' })
    const { code, stdout } = await holdfast('doctor --url http://localhost', {
      cwd,
      env: { HOLDFAST_TOKEN: 't' },
      fetch,
    })
    expect(stdout.split('\n').slice(1)).toEqual([
      'problem  models          models is not valid; "validate" says what is wrong',
      'ok       platform        http://localhost/ answers',
      'problem  clock           3600 s behind the platform: tokens will be refused; set the clocks by NTP',
      'problem  credential      the token has expired; sign in again',
      '',
    ])
    expect(code).toBe(1)
  })

  it('a platform that cannot be reached is one problem, not three', async () => {
    const { code, stdout } = await holdfast('doctor --url http://localhost:1', { cwd: workspace(FILES) })
    expect(stdout.match(/^problem/gm)).toHaveLength(1)
    expect(code).toBe(1)
  })
})

it.each([
  ['20.19.5', false],
  ['24.0.0', true],
  ['26.1.0', true],
])('node %s: %s', (version, isOk) => expect(checkNode(version).ok).toBe(isOk))

it.each([
  [60_000, true],
  [61_000, false],
  [-61_000, false],
])('a clock %i ms ahead: %s', (skew, isOk) => {
  const date = 'Fri, 02 Jan 2026 03:04:05 GMT'
  expect(checkClock(date, Date.parse(date) + skew).ok).toBe(isOk)
})
