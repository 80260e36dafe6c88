import { describe, expect, it } from 'vitest'
import { fixedBearer, renewableBearer, sendWith, type Grant } from '../../src/client/bearer.ts'
import { data } from '../reconcile/fake-platform.ts'
import { holdfast } from '../reconcile/run-command.ts'
import { workspace } from '../reconcile/workspace.ts'

const SILENT = { refused: '', forbidden: '' }

/** Gives `token 1`, `token 2` and so on, each good until `renewAt`. */
function counting(renewAt: number | null = null, refreshToken: string | null = null) {
  const previous: (Grant | null)[] = []
  const obtain = (before: Grant | null) => {
    previous.push(before)
    return Promise.resolve({ token: `token ${previous.length}`, refreshToken, renewAt })
  }
  return { obtain, previous }
}

describe('a token', () => {
  it('is got when it is needed, and once', async () => {
    const { obtain, previous } = counting()
    const bearer = renewableBearer(obtain, () => 0, SILENT)
    expect(previous).toEqual([])
    expect(await Promise.all([bearer.token(), bearer.token()])).toEqual(['token 1', 'token 1'])
    expect(previous).toEqual([null])
  })

  it('is replaced before it ends', async () => {
    let now = 0
    const { obtain, previous } = counting(1_000, 'refresh')
    const bearer = renewableBearer(obtain, () => now, SILENT)
    await bearer.token()
    now = 999
    expect(await bearer.token()).toBe('token 1')
    now = 1_000
    expect(await bearer.token()).toBe('token 2')
    expect(previous[1]).toMatchObject({ token: 'token 1', refreshToken: 'refresh' })
  })

  it('is asked for again after a sign-in has failed', async () => {
    let isUp = false
    const { obtain, previous } = counting(1_000, 'refresh')
    const flaky = (before: Grant | null) => (isUp ? obtain(before) : Promise.reject(new Error('down')))
    let now = 0
    const bearer = renewableBearer(flaky, () => now, SILENT)
    await expect(bearer.token()).rejects.toThrow('down')
    isUp = true
    expect(await bearer.token()).toBe('token 1')
    isUp = false
    now = 1_000
    await expect(bearer.token()).rejects.toThrow('down')
    isUp = true
    expect(await bearer.token()).toBe('token 2')
    expect(previous[1]).toMatchObject({ refreshToken: 'refresh' })
  })

  it('that is refused is replaced once, however many requests it was refused for', async () => {
    const { obtain, previous } = counting()
    const bearer = renewableBearer(obtain, () => 0, SILENT)
    const refused = await bearer.token()
    expect(await bearer.renew(refused)).toBe('token 2')
    expect(await bearer.renew(refused)).toBe('token 2')
    expect(previous).toHaveLength(2)
  })

  it('that expires or is refused is replaced once for requests that find it at the same time', async () => {
    let now = 0
    const { obtain, previous } = counting(1_000, 'refresh')
    const bearer = renewableBearer(obtain, () => now, SILENT)
    const refused = await bearer.token()
    const requests = Array.from({ length: 10 })
    expect(new Set(await Promise.all(requests.map(() => bearer.renew(refused))))).toEqual(new Set(['token 2']))
    now = 1_000
    expect(new Set(await Promise.all(requests.map(() => bearer.token())))).toEqual(new Set(['token 3']))
    expect(previous).toHaveLength(3)
  })
})

/** Answers with these statuses, then with 200, and remembers the tokens. */
function answering(...statuses: readonly number[]) {
  const used: string[] = []
  const send = (token: string) => {
    used.push(token)
    return Promise.resolve(new Response('', { status: statuses[used.length - 1] ?? 200 }))
  }
  return { used, send }
}

describe('a request', () => {
  it('is sent again with another token, and only once', async () => {
    const { used, send } = answering(401, 401)
    expect(
      (
        await sendWith(
          renewableBearer(counting().obtain, () => 0, SILENT),
          send,
        )
      ).status,
    ).toBe(401)
    expect(used).toEqual(['token 1', 'token 2'])
  })

  it('that is refused frees its connection, also if the next sign-in fails', async () => {
    const refusal = new Response('no', { status: 401 })
    const { obtain, previous } = counting()
    const once = (before: Grant | null) =>
      previous.length === 0 ? obtain(before) : Promise.reject(new Error('the provider is away'))
    const bearer = renewableBearer(once, () => 0, SILENT)
    await expect(sendWith(bearer, () => Promise.resolve(refusal))).rejects.toThrow('the provider is away')
    expect(refusal.bodyUsed).toBe(true)
  })

  it.each([
    ['there is no other token', fixedBearer('mine'), 401],
    ['what it asks for is forbidden', renewableBearer(counting().obtain, () => 0, SILENT), 403],
  ])('is not sent again where %s', async (_, bearer, status) => {
    const { used, send } = answering(status)
    expect((await sendWith(bearer, send)).status).toBe(status)
    expect(used).toHaveLength(1)
  })
})

describe('a command whose token ends while it works', () => {
  const PASSWORD = {
    HOLDFAST_CLIENT_ID: 'c',
    HOLDFAST_CLIENT_SECRET: 's',
    HOLDFAST_USERNAME: 'u',
    HOLDFAST_PASSWORD: 'p',
  }

  /** The grants that are asked for when the first token is refused. */
  async function grants(tokens: (grant: string) => Response): Promise<string[]> {
    const asked: string[] = []
    const fetch = async (request: Request) => {
      if (!request.url.endsWith('/graphql')) {
        const form = new URLSearchParams(await request.text())
        asked.push([form.get('grant_type'), form.get('refresh_token')].filter((part) => part !== null).join(' '))
        return tokens(asked.at(-1) ?? '')
      }
      const isFirst = request.headers.get('authorization') === 'Bearer first'
      return isFirst ? new Response('', { status: 401 }) : data({ applies: { nodes: [] } })
    }
    const env = PASSWORD
    const { code } = await holdfast('history --url https://a.example', { cwd: workspace(), env, fetch })
    expect(code).toBe(0)
    return asked
  }

  it('goes on with the refresh token', async () => {
    const asked = await grants((grant) =>
      Response.json(grant === 'password' ? { access_token: 'first', refresh_token: 'r' } : { access_token: 'second' }),
    )
    expect(asked).toEqual(['password', 'refresh_token r'])
  })

  it('signs in anew where there is none', async () => {
    let count = 0
    const tokens = () => Response.json({ access_token: ['first', 'second'][count++] })
    expect(await grants(tokens)).toEqual(['password', 'password'])
  })

  it('signs in anew where that has ended too', async () => {
    let count = 0
    const tokens = (grant: string) =>
      grant === 'password'
        ? Response.json({ access_token: ['first', 'second'][count++], refresh_token: 'r' })
        : Response.json({ error: 'invalid_grant' }, { status: 400 })
    expect(await grants(tokens)).toEqual(['password', 'refresh_token r', 'password'])
  })
})
