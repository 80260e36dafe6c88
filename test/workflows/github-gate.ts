import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FakeGitHub } from '../support/fake-github.ts'
import type { Permissions } from './files.ts'

// Before the fake GitHub: a token of a job can do what the permissions of the job say, and no more.

export interface Artifact {
  readonly name: string
  readonly runId: number
  readonly isFromFork: boolean
  /** `main` if left out. */
  readonly branch?: string
}

export interface GitHubGate {
  readonly url: string
  /** What was refused, as `PATCH /repos/…`. */
  readonly refused: string[]
  readonly artifacts: Artifact[]
  /** The next answers to who asks for artifacts. */
  readonly failures: number[]
  token(permissions: Permissions): string
  close(): Promise<void>
}

export async function startGitHubGate(github: FakeGitHub): Promise<GitHubGate> {
  const tokens = new Map<string, Permissions>()
  const refused: string[] = []
  const artifacts: Artifact[] = []
  const failures: number[] = []
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = request
    const answer = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const permissions = tokens.get((headers.authorization ?? '').replace(/^\S+ /, ''))
    if (permissions === undefined) return void answer(401, { message: 'Bad credentials' })
    if (!isAllowed(method, url, permissions)) {
      refused.push(`${method} ${url}`)
      return void answer(403, { message: 'Resource not accessible by integration' })
    }
    const failure = url.includes('/actions/artifacts') ? failures.shift() : undefined
    if (failure !== undefined) return void answer(failure, { message: 'Bad credentials' })
    if (url.includes('/actions/artifacts')) return void answer(200, artifactList(artifacts))
    const given = { 'content-type': 'application/json', authorization: `token ${github.token}` }
    const body = method === 'GET' ? {} : { body: await textOf(request) }
    const inner = await fetch(`${github.url}${url}`, { method, headers: given, ...body })
    const link = inner.headers.get('link')?.replaceAll(github.url, address)
    const text = await inner.text()
    response.writeHead(inner.status, { 'content-type': 'application/json', ...(link !== undefined && { link }) })
    response.end(text === '' ? undefined : text)
  }
  const server = createServer((request, response) => void serve(request, response))
  await new Promise<void>((resolve) => {
    server.listen({ host: '127.0.0.1', port: 0 }, resolve)
  })
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: address,
    refused,
    artifacts,
    failures,
    token(permissions) {
      const token = `ghs_${crypto.randomUUID()}`
      tokens.set(token, permissions)
      return token
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** By GitHub's list of the permissions that each operation needs. */
function isAllowed(method: string, url: string, permissions: Permissions): boolean {
  const can = (...wanted: readonly (readonly [string, 'read' | 'write'])[]) =>
    wanted.some(([scope, access]) => permissions[scope] === access || permissions[scope] === 'write')
  const access = method === 'GET' ? 'read' : 'write'
  if (url === '/graphql') return true
  if (/\/actions\/artifacts/.test(url)) return can(['actions', 'read'])
  if (/\/commits\/[^/]+\/pulls/.test(url)) return can(['contents', 'read'], ['pull-requests', 'read'])
  if (/\/check-runs/.test(url)) return can(['checks', access])
  if (/\/issues\/(?:\d+\/)?comments/.test(url)) return can(['issues', access], ['pull-requests', access])
  if (/\/pulls\//.test(url)) return can(['pull-requests', access])
  return can(['issues', access])
}

function artifactList(artifacts: readonly Artifact[]): object {
  const rows = artifacts.map(({ name, runId, isFromFork, branch = 'main' }, index) => ({
    id: index + 1,
    name,
    expired: false,
    created_at: '2026-11-24T10:00:00Z',
    workflow_run: { id: runId, repository_id: 1, head_repository_id: isFromFork ? 2 : 1, head_branch: branch },
  }))
  return { total_count: rows.length, artifacts: rows }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk as string
  return text
}
