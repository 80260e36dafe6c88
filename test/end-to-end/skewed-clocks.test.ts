import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { holdfast as run, type Outcome } from '../reconcile/run-command.ts'
import { workspace, writeFiles } from '../reconcile/workspace.ts'
import { readCredentials } from '../../src/server/process/credentials.ts'
import { operatorToken } from '../support/password-token.ts'
import { placeOnPostgres, SERVER_PROGRAM, startServerAt, type DataPlace } from '../support/data-place.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { characteristics } from './commands.ts'

// Two servers of one platform, the clock of one of which is three days slow, as after a step back: what comes last is
// what was made last, to the command line and to whoever follows the applies.

const CLOCK = fileURLToPath(new URL('../support/skewed-clock.ts', import.meta.url))
const THREE_DAYS = 3 * 86_400_000

let place: DataPlace
let right: ServerProcess
let slow: ServerProcess
let cwd: string
let tokens: ReadonlyMap<ServerProcess, string>

beforeAll(async () => {
  place = await placeOnPostgres()
  // The first one makes the keys that both sign with.
  slow = await startServerAt(place, { CLOCK_SKEW_MS: String(-THREE_DAYS) }, ['--import', CLOCK, SERVER_PROGRAM])
  right = await startServerAt(place)
  const sign = async (server: ServerProcess) => [server, await operatorToken(server.url, place.directory)] as const
  tokens = new Map([await sign(right), await sign(slow)])
})

afterAll(async () => {
  await Promise.all([right.stop(), slow.stop()])
  await place.remove()
})

async function holdfast(server: ServerProcess, ...words: readonly string[]): Promise<Outcome> {
  const env = { HOLDFAST_TOKEN: tokens.get(server) ?? '' }
  const outcome = await run([...words, '--url', server.url], { cwd, env, fetch })
  if (outcome.code !== 0) throw new Error(outcome.stderr)
  return outcome
}

function want(...codes: readonly string[]): void {
  writeFiles(cwd, { 'models/a.json': characteristics(...codes) })
}

interface Past {
  readonly uuid: string
  readonly at: string
  readonly summary: { readonly create: number }
}

async function history(server: ServerProcess): Promise<readonly Past[]> {
  const { stdout } = await holdfast(server, 'history', '--format', 'json')
  return (JSON.parse(stdout) as { applies: Past[] }).applies
}

/** In the order in which they are told. */
async function followApplies(server: ServerProcess): Promise<{ until(count: number): Promise<readonly string[]> }> {
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${tokens.get(server)}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    },
    body: JSON.stringify({ query: 'subscription { applies { applies { uuid } } }' }),
  })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const more = async () => {
    const piece = await reader?.read()
    if (piece?.value === undefined) throw new Error(`the subscription has ended: ${text}`)
    text += piece.value
  }
  await more()
  const found = () => [...text.matchAll(/"uuid":"([^"]+)"/g)].map(([, uuid = '']) => uuid)
  return {
    async until(count) {
      while (found().length < count) await more()
      await reader?.cancel()
      return found()
    },
  }
}

it('takes back the apply that was made last, though its time is earlier', async () => {
  cwd = workspace()
  const followed = await followApplies(right)
  want('first')
  await holdfast(right, 'apply', '--yes')
  want('first', 'second', 'third')
  await holdfast(slow, 'apply', '--yes')
  for (const server of [right, slow]) {
    const [last, before] = await history(server)
    expect([last?.summary.create, before?.summary.create]).toStrictEqual([2, 1])
  }
  await holdfast(right, 'rollback', '--yes')
  want('first')
  expect((await holdfast(slow, 'plan')).stdout).toContain('No changes')
  const uuids = (await history(right)).map(({ uuid }) => uuid)
  expect(await followed.until(3)).toStrictEqual(uuids.toReversed())
})

async function graphql(server: ServerProcess, query: string): Promise<void> {
  const headers = { authorization: `Bearer ${tokens.get(server)}`, 'content-type': 'application/json' }
  const answer = await fetch(`${server.url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) })
  expect(await answer.json()).not.toHaveProperty('errors')
}

it(
  'tells what is drift, what waits, and what is a branch’s own, whichever clock was asked',
  { timeout: 180_000 },
  async () => {
    cwd = workspace()
    const git = (...args: readonly string[]) => execFileSync('git', args, { cwd })
    want('first')
    await holdfast(right, 'apply', '--yes')
    // By the clocks this was three days before the apply.
    await graphql(slow, 'mutation { updateCharacteristic(code: "first", input: { description: "By hand" }) { uuid } }')
    const drifted = (await holdfast(right, 'plan')).stdout
    expect(drifted).toMatch(/changed on the platform by operator at .*; the document\s+puts it back/)
    want('first', 'waits')
    git('init', '--quiet')
    git('add', 'models')
    git('-c', 'user.name=test', '-c', 'user.email=test@example.com', 'commit', '--quiet', '--message', 'Models')
    want('first', 'waits', 'own')
    const made = (await holdfast(slow, 'plan', '--base', 'HEAD', '--out', 'plan.json')).stdout.replaceAll(/\n +/g, ' ')
    expect(made).toMatch(/^Plan: 1 to create on \S+ · /)
    expect(made).toContain('Also waiting on the target branch: 1 record (characteristics/waits)')
    expect(made).toContain('Not part of this plan: 1 record that somebody changed on the platform')
    await holdfast(right, 'apply', 'plan.json', '--base', 'HEAD')
    await holdfast(slow, 'apply', '--yes')
    expect((await holdfast(right, 'plan')).stdout).toMatch(/^No changes on \S+\. /)
    expect((await history(right)).slice(0, 2).map(({ summary }) => summary.create)).toStrictEqual([1, 1])
  },
)

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

async function askForTokens(server: ServerProcess, grant: { readonly [name: string]: string }) {
  const credentials = readCredentials(place.directory)
  if (credentials === null) throw new Error('there are no credentials')
  const client = { client_id: credentials.clientId, client_secret: credentials.clientSecret }
  const body = new URLSearchParams({ ...client, ...grant })
  const answer = await fetch(`${server.url}/authenticate/token`, { method: 'POST', body })
  return { status: answer.status, tokens: (await answer.json()) as Tokens }
}

async function signInAt(server: ServerProcess): Promise<Tokens> {
  const { username = '', password = '' } = readCredentials(place.directory) ?? {}
  return (await askForTokens(server, { grant_type: 'password', username, password })).tokens
}

const refreshAt = (server: ServerProcess, { refresh_token }: Tokens) =>
  askForTokens(server, { grant_type: 'refresh_token', refresh_token })

it(
  'takes the tokens of each server at the other, and a repeated refresh as an honest one',
  { timeout: 180_000 },
  async () => {
    for (const [here, there] of [
      [right, slow],
      [slow, right],
    ] as const) {
      const tokens = await signInAt(here)
      const me = await fetch(`${there.url}/authenticate/userinfo`, {
        headers: { authorization: `Bearer ${tokens.access_token}` },
      })
      expect(me.status).toBe(200)
      const next = await refreshAt(here, tokens)
      expect(next.status).toBe(200)
      expect((await refreshAt(there, tokens)).status).toBe(400)
      // It was no theft, so what came of it lives.
      expect((await refreshAt(there, next.tokens)).status).toBe(200)
    }
  },
)
