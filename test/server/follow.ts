import { createClient, type ExecutionResult } from 'graphql-sse'
import { TOKEN, type GraphqlAnswer, type TestServer } from './test-server.ts'

/** A subscription as the client of others has it: GraphQL over SSE, in distinct connections. */
export interface Followed<Changes> {
  readonly results: readonly GraphqlAnswer[]
  /** What its field has given so far. */
  readonly changes: readonly Changes[]
  /** Resolves when `enough` of what has come. */
  until(enough: (changes: readonly Changes[]) => boolean): Promise<void>
  /** Resolves when the server has ended it. */
  readonly ended: Promise<void>
  /** When the headers have come, so that the server has begun to listen. */
  readonly begun: Promise<void>
  stop(): void
}

export interface FollowOptions {
  readonly variables?: Record<string, unknown>
  readonly token?: string
}

export function follow<Changes>(
  { url }: Pick<TestServer, 'url'>,
  query: string,
  { variables = {}, token = TOKEN }: FollowOptions = {},
): Followed<Changes> {
  const headers = { authorization: `Bearer ${token}` }
  const client = createClient({ url: `${url}/graphql`, singleConnection: false, retryAttempts: 0, headers })
  const results: GraphqlAnswer[] = []
  const changes: Changes[] = []
  const waiting = new Set<() => void>()
  const { promise: ended, resolve: end, reject } = Promise.withResolvers<void>()
  ended.catch(() => undefined)
  const begun = Promise.withResolvers<void>()
  const stop = client.subscribe(
    { query, variables },
    {
      next(result: ExecutionResult) {
        results.push(result as GraphqlAnswer)
        const [one] = Object.values(result.data ?? {})
        if (one != null) changes.push(one as Changes)
        for (const look of waiting) look()
      },
      error: (error) => {
        begun.reject(error)
        reject(error)
      },
      complete: end,
    },
    { connected: () => begun.resolve() },
  )
  begun.promise.catch(() => undefined)
  const until = (enough: (changes: readonly Changes[]) => boolean): Promise<void> => {
    const { promise, resolve, reject: fail } = Promise.withResolvers<void>()
    const look = (): void => {
      if (!enough(changes)) return
      waiting.delete(look)
      resolve()
    }
    waiting.add(look)
    ended.then(() => fail(new Error(`it ended: ${JSON.stringify(results.at(-1))}`)), fail)
    look()
    return promise
  }
  return { results, changes, until, ended, begun: begun.promise, stop }
}
