import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { environmentOf, type FakeEvent } from './fake-github-environment.ts'
import { FakeRepository, type Answer, type FakeRepositoryOptions, type FakeRequest } from './fake-github-repository.ts'
import { findOperation, requestProblems, responseProblems, type Operation } from './github-openapi.ts'

export type { Answer }

/** Replaces one answer: returns it, or waits for something and then returns the real one by `proceed`. */
export type Stand = (proceed: () => Answer) => Answer | Promise<Answer>

export interface FakeGitHubOptions extends FakeRepositoryOptions {
  /** The former name of the repository. GitHub redirects requests for it. */
  readonly formerly?: string
}

/**
 * GitHub on loopback. It ends with the test. The test fails if a request or an answer does not match GitHub's
 * description.
 */
export async function fakeGitHub(options: FakeGitHubOptions = {}): Promise<FakeGitHub> {
  const github = new FakeGitHub(options)
  await github.listen()
  onTestFinished(async () => {
    await github.close()
    expect(github.problems).toEqual([])
  })
  return github
}

export class FakeGitHub extends FakeRepository {
  readonly token = 'ghs_token-of-the-job'
  /** The requests so far, by the name of the operation. */
  readonly asked: string[] = []
  readonly problems: string[] = []
  url = ''
  readonly #formerly: string | undefined
  readonly #stands = new Map<string, Stand[]>()
  readonly #server = createServer((request, response) => void this.#serve(request, response))

  constructor(options: FakeGitHubOptions) {
    super(options)
    this.#formerly = options.formerly
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.listen({ host: '127.0.0.1', port: 0 }, resolve)
    })
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** The next answers to an operation, e.g. `issues/create-comment`, in this order. */
  next(operation: string, ...stands: readonly Stand[]): this {
    this.#stands.set(operation, [...(this.#stands.get(operation) ?? []), ...stands])
    return this
  }

  /** The variables that GitHub gives to the steps of a job, with the files that they name. */
  environment(event: FakeEvent): { readonly [name: string]: string } {
    return environmentOf(this, event)
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = await this.#answer(request).catch((error: unknown): Answer => {
      this.problems.push(String(error))
      return { status: 500, body: { message: 'the fake is broken' } }
    })
    const { status, headers: { link, ...headers } = {}, body } = answer
    const next = link === undefined ? {} : { link: link.replace('<', `<${this.url}`) }
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers, ...next })
    response.end(body === undefined ? undefined : JSON.stringify(body))
  }

  async #answer(request: IncomingMessage): Promise<Answer> {
    const text = await textOf(request)
    const url = new URL(request.url ?? '', this.url)
    if (!/^(token|bearer) ghs_token-of-the-job$/.test(request.headers.authorization ?? '')) {
      return { status: 401, body: { message: 'Bad credentials' } }
    }
    if (url.pathname === '/graphql') return this.#graphql(text)
    const moved = this.#movedTo(url)
    if (moved !== null) return movedAnswer(request.method, moved)
    const operation = findOperation(request.method ?? '', url.pathname)
    if (operation === null) throw new Error(`${request.method} ${url.pathname} is not an operation that was expected`)
    const body = text === '' ? undefined : (JSON.parse(text) as FakeRequest['body'])
    return this.#checked(operation, url.searchParams, body)
  }

  async #checked(operation: Operation, query: URLSearchParams, body: FakeRequest['body'] | undefined): Promise<Answer> {
    this.asked.push(operation.id)
    this.#note(operation, 'request', requestProblems(operation, query, body))
    const stand = this.#stands.get(operation.id)?.shift()
    const proceed = () => this.perform({ operation, query, body: body ?? {} })
    const answer = stand === undefined ? proceed() : await stand(proceed)
    this.#note(operation, String(answer.status), responseProblems(operation, answer.status, answer.body))
    return answer
  }

  #note({ id }: Operation, what: string, problems: readonly string[]): void {
    this.problems.push(...problems.map((problem) => `${id} (${what}): ${problem}`))
  }

  /** Answers the only query that is sent: the own login. */
  #graphql(text: string): Answer {
    this.asked.push('graphql')
    if (!/\bviewer\s*\{\s*login\s*\}/.test(text)) return { status: 400, body: { message: 'Problems parsing JSON' } }
    return { status: 200, body: { data: { viewer: { login: this.login } } } }
  }

  #movedTo({ pathname, search }: URL): string | null {
    const before = `/repos/${this.#formerly}`
    if (this.#formerly === undefined || !pathname.startsWith(`${before}/`)) return null
    return `${this.url}/repos/${this.repository}${pathname.slice(before.length)}${search}`
  }
}

function movedAnswer(method: string | undefined, location: string): Answer {
  const documentation_url = 'https://docs.github.com/rest'
  const body = { message: 'Moved Permanently', url: location, documentation_url }
  return { status: method === 'GET' ? 301 : 307, headers: { location }, body }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk as string
  return text
}
