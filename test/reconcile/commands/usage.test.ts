import { describe, expect, it } from 'vitest'
import { HoldfastError } from '../../../src/lib/errors.ts'
import { data, FakePlatform } from '../fake-platform.ts'
import { models } from '../sample.ts'
import { holdfast } from '../run-command.ts'
import { workspace } from '../workspace.ts'

describe('mistakes on the command line', () => {
  it.each([
    ['plna', "unknown command 'plna' (Did you mean plan?)"],
    ['plan --modles x', "unknown option '--modles' (Did you mean --models?)"],
    ['frobnicate', "error: unknown command 'frobnicate'\n  Commands: validate, rename, plan, apply, "],
    ['help frobnicate', "error: unknown command 'frobnicate'\n  Commands: validate, rename, plan, apply, "],
    ['demo --help', "error: unknown command 'demo'\n  Commands: validate, "],
    ['demo -h', "error: unknown command 'demo'\n  Commands: validate, "],
    ['help keys frobnicate', "error: unknown command 'frobnicate'\n  Commands: rotate\n"],
    ['keys rotat --help', "error: unknown command 'rotat' (Did you mean rotate?)\n"],
    ['plan --nonsense', "error: unknown option '--nonsense'\n  See: holdfast help plan\n"],
    ['keys rotate --nonsense', 'See: holdfast help keys rotate\n'],
    ['plan --format xml', 'Allowed choices are text, json, markdown.'],
    ['plan --models', "option '--models <dir>' argument missing"],
    ['plan too much', 'too many arguments'],
    ['plan --models nowhere', 'no models in nowhere: it does not exist; name the directory that holds the model files'],
    [
      'plan --models models/a.json',
      'no models in models/a.json: it is a file; name the directory that holds the model files',
    ],
    ['plan --models empty', 'no models in empty: there is no *.yaml, *.yml or *.json file in it'],
    ['plan --url ftp://x', '--url must be an address such as https://building.example.com, not "ftp://x"'],
    ['plan --url https://me:secret@x', '--url must not hold a password'],
    ['plan --url https://x --against y', "cannot be used with option '--url <url>'"],
    ['plan --against nowhere.json', 'cannot read --against nowhere.json: it does not exist'],
    ['plan --out nowhere/plan.json', 'cannot write --out nowhere/plan.json: its directory does not exist'],
    [
      'plan --allow nonsense',
      '--allow "nonsense": write CODE:type/key, or CODE:type for a guard on a whole record type',
    ],
    ['init --gitlab --gitea', '--gitlab and --gitea exclude each other'],
    ['trust github acme/models', 'give the address by which the jobs reach the platform: --url https://…'],
    ['access why anna@example.com --claims nowhere.json', 'cannot read --claims nowhere.json: it does not exist'],
    [
      'access why anna@example.com --claims models/a.json --claims empty/readme.txt',
      'give the claims of a token as a JSON object',
    ],
    ['distribute', 'set DATABASE_URL to the PostgreSQL database of the servers'],
    ['distribute --check --status', "option '--check' cannot be used with option '--status'"],
    ['ci apply', 'ci apply works inside a job of GitHub Actions; missing in the environment'],
    ['apply', 'there is no terminal to ask for consent; give --yes, or a plan that was written by "plan --out"'],
    ['adopt', 'there is no terminal to ask for consent; give --yes, or --dry-run'],
    ['rollback abc --yes', '"abc" names no apply; give the UUID that "holdfast history" shows, or none for the latest'],
    ['apply nowhere.json', 'cannot read the plan nowhere.json: it does not exist'],
    ['apply --expect sha256:12', 'give the whole digest of a plan, sha256: and 64 hexadecimal digits'],
    ['rollback', 'there is no terminal to ask for consent; give --yes'],
    ['rollback --yes', 'nothing was ever applied here, so there is nothing to roll back'],
    ['history abc', '"abc" names no apply; give the UUID that "holdfast history" shows, or none for the list'],
    ['history --limit many', '--limit "many": give a whole number from 1 to 1000'],
    [
      'history 00000000-0000-4000-8000-000000000000',
      'there is no apply 00000000-0000-4000-8000-000000000000; "history" lists them',
    ],
  ])('%s', async (line, message) => {
    const cwd = workspace({ 'models/a.json': models('a'), 'empty/readme.txt': '' })
    const outcome = await holdfast(line, { cwd, platform: new FakePlatform() })
    expect(outcome.stderr).toContain(message)
    expect(outcome).toMatchObject({ code: 1, stdout: '' })
  })

  it('are JSON too where JSON was asked for, whatever else is wrong', async () => {
    const outcome = await holdfast('plan --format json --nonsense', { cwd: workspace() })
    expect(outcome).toMatchObject({ code: 1, stderr: '' })
    expect(JSON.parse(outcome.stdout)).toEqual({
      error: { code: 'BAD_USER_INPUT', message: "unknown option '--nonsense'", details: [], traceId: null },
    })
  })

  it('writes no colours with --no-color, wherever it stands', async () => {
    const env = { FORCE_COLOR: '1' }
    const session = { cwd: workspace({ 'models/a.json': models('a') }), platform: new FakePlatform(), env }
    expect((await holdfast('plan', session)).stdout).toContain('\u001b[')
    for (const line of ['plan --no-color', '--no-color plan'])
      expect((await holdfast(line, session)).stdout).toMatch(/^Plan: 1 to create/)
  })

  it('without a command the help is shown, as a mistake', async () => {
    const outcome = await holdfast('', { cwd: workspace() })
    expect(outcome).toMatchObject({ code: 1, stdout: '' })
    expect(outcome.stderr).toContain('Usage: holdfast')
  })
})

describe('help', () => {
  it('names every command of this version and no other', async () => {
    const { code, stdout } = await holdfast('--help', { cwd: workspace() })
    const commands = [...stdout.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name)
    expect(commands).toEqual([
      'validate',
      'rename',
      'plan',
      'apply',
      'export',
      'adopt',
      'rollback',
      'history',
      'invite',
      'access',
      'trust',
      'keys',
      'types',
      'serve',
      'distribute',
      'simulate',
      'doctor',
      'init',
      'completions',
      'ci',
      'help',
    ])
    expect(code).toBe(0)
  })

  it('says the version of the package', async () => {
    expect(await holdfast('--version', { cwd: workspace() })).toMatchObject({ code: 0, stdout: '0.1.0\n', stderr: '' })
  })
})

describe('failures that nobody foresaw', () => {
  const failing = { openEmbedded: () => Promise.reject(new RangeError('a detail of the inside')) }

  it('tell no details', async () => {
    const outcome = await holdfast('history', { cwd: workspace(), parts: failing })
    expect(outcome).toMatchObject({
      code: 1,
      stderr: 'error: something went wrong that should not; set HOLDFAST_DEBUG=1 to see where, and please report it\n',
    })
  })

  it('show the stack to whoever asks for it', async () => {
    const outcome = await holdfast('history', { cwd: workspace(), parts: failing, env: { HOLDFAST_DEBUG: '1' } })
    expect(outcome.stderr).toMatch(/RangeError: a detail of the inside\n +at /)
  })

  it('show what caused them, too', async () => {
    const caused = new HoldfastError('INTERNAL', 'middle', { cause: new Error('inside') })
    const parts = { openEmbedded: () => Promise.reject(new Error('outside', { cause: caused })) }
    const outcome = await holdfast('history', {
      cwd: workspace(),
      parts,
      env: { HOLDFAST_DEBUG: '1' },
    })
    expect(outcome.stderr).toMatch(
      /^Error: outside\n[^]+^caused by HoldfastError: middle\n[^]+^caused by Error: inside\n/m,
    )
  })
})

describe('Ctrl-C', () => {
  it('ends with 130, and the platform that was opened is closed', async () => {
    const interruption = new AbortController()
    let answered = false
    let closed = false
    const openEmbedded = () =>
      Promise.resolve({
        // Like a real application it does not look at the signal of the request, and is done only later.
        fetch: () => {
          interruption.abort()
          return Promise.resolve(data({ applies: { nodes: [] } })).finally(() => (answered = true))
        },
        token: 'token',
        close: () => {
          closed = answered
          return Promise.resolve()
        },
      })
    const options = { cwd: workspace(), parts: { openEmbedded }, signal: interruption.signal }
    expect(await holdfast('history', options)).toMatchObject({
      code: 130,
      stdout: '',
      stderr: 'Interrupted: nothing was changed on the platform.\n',
    })
    expect(closed).toBe(true)
  })
})
