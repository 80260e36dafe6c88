import { describe, expect, it } from 'vitest'
import { FakePlatform, failure } from '../fake-platform.ts'
import { live, models } from '../sample.ts'
import { holdfast } from '../run-command.ts'
import { workspace } from '../workspace.ts'

function lost(): Promise<Response> {
  return Promise.reject(
    new TypeError('fetch failed', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) }),
  )
}

async function apply(platform: FakePlatform) {
  return holdfast('apply --yes', { cwd: workspace({ 'models/a.json': models('a', 'b') }), platform })
}

function applyIds(platform: FakePlatform): Set<unknown> {
  return new Set(
    platform.callsOf('applyImport').map(({ variables }) => (variables['origin'] as { applyId: string }).applyId),
  )
}

describe('an apply whose answer is lost', () => {
  it('is sent again under the same id', async () => {
    const platform = new FakePlatform(live('a')).next('applyImport', lost, () => new Response('', { status: 503 }))
    expect(await apply(platform)).toMatchObject({ code: 0 })
    expect(platform.callsOf('applyImport')).toHaveLength(3)
    expect(applyIds(platform).size).toBe(1)
  })

  it.each<[string, () => Response]>([
    ['a proxy that waited too long', () => new Response('', { status: 524 })],
    ['a proxy that failed', () => new Response('<html>', { status: 500 })],
    ['a page in place of JSON', () => new Response('<html>')],
    ['a gateway that signs in', () => new Response('', { status: 401 })],
    ['a gateway of GraphQL', () => Response.json({ errors: [{ message: 'upstream timed out' }] })],
  ])('is sent again after the answer of %s', async (_, answer) => {
    const platform = new FakePlatform(live('a')).next('applyImport', answer)
    expect(await apply(platform)).toMatchObject({ code: 0 })
    expect(platform.callsOf('applyImport')).toHaveLength(2)
    expect(applyIds(platform).size).toBe(1)
  })

  it.each(['UNAUTHENTICATED', 'FORBIDDEN', 'LIMIT_EXCEEDED'])(
    'stays unknown if %s refuses the repetition',
    async (code) => {
      const platform = new FakePlatform(live('a')).next('applyImport', lost, () => failure(code, 'no'))
      expect((await apply(platform)).stderr).toContain('whether the apply took place is not known')
    },
  )

  it('is given up in the end, with the reason', async () => {
    const platform = new FakePlatform(live('a')).next('applyImport', lost, lost, lost, lost, lost)
    const { code, stderr } = await apply(platform)
    expect(stderr).toContain('the connection broke')
    expect(stderr).toContain('whether the apply took place is not known: "holdfast history" shows it')
    expect(code).toBe(1)
    expect(platform.callsOf('applyImport')).toHaveLength(4)
  })

  it('an answer, even an error, is never asked for twice', async () => {
    const platform = new FakePlatform(live('a')).next('applyImport', () =>
      failure('CONFLICT', 'another apply is running'),
    )
    expect(await apply(platform)).toMatchObject({ code: 1, stderr: expect.not.stringContaining('not known') })
    expect(platform.callsOf('applyImport')).toHaveLength(1)
  })

  it('each apply has an id of its own', async () => {
    const platform = new FakePlatform(live('a'))
    await apply(platform)
    platform.live = live('a')
    await apply(platform)
    expect(applyIds(platform).size).toBe(2)
  })
})

describe('answers that are none of a platform', () => {
  it.each<[string, Response, string]>([
    [
      'a web page',
      new Response('<html>', { status: 200 }),
      'does not answer like a Holdfast platform (status 200); check the address',
    ],
    [
      'a redirect',
      new Response('', { status: 302, headers: { location: 'https://login.example/' } }),
      'redirects to https://login.example/; use that address',
    ],
    ['a proxy that refuses', new Response('', { status: 401 }), 'does not accept the credential'],
    ['too much', new Response('', { status: 413 }), 'does not accept so large a request'],
    ['JSON of another kind', Response.json({ hello: 1 }), 'does not answer like a Holdfast platform'],
    ['a list', Response.json([]), 'does not answer like a Holdfast platform'],
  ])('%s', async (_, response, message) => {
    const platform = new FakePlatform().next('applies', () => response)
    const outcome = await holdfast('history', { cwd: workspace(), platform })
    expect(outcome).toMatchObject({ code: 1, stdout: '' })
    expect(outcome.stderr).toContain(message)
  })

  it('a plan of a newer platform', async () => {
    const platform = new FakePlatform().next('planImport', () =>
      Response.json({ data: { planImport: { brief: { formatVersion: 2 } } } }),
    )
    const outcome = await holdfast('plan', { cwd: workspace({ 'models/a.json': models('a') }), platform })
    expect(outcome.stderr).toContain('makes plans of another format')
    expect(outcome.code).toBe(1)
  })
})

it('a plan is one request', async () => {
  const platform = new FakePlatform()
  await holdfast('plan', { cwd: workspace({ 'models/a.json': models('a') }), platform })
  expect(platform.calls.map(({ operation }) => operation)).toEqual(['planImport'])
  expect(platform.calls[0]?.authorization).toBe('Bearer embedded-token')
})
