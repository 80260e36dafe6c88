import type { ThrottlingOptions } from '@octokit/plugin-throttling'
import type { Octokit } from '@octokit/rest'
import type { Io } from '../../shell/io.ts'
import type { Job } from './job.ts'

/** What the client would do a second or more apart from each other: advice for who writes much, and a job writes twice. */
const AT_ONCE = {
  key: () => ({ schedule: (_: unknown, work: () => Promise<void>) => work() }),
} as unknown as NonNullable<ThrottlingOptions['write']>

/** GitHub as a job sees it. */
export interface GitHub {
  readonly rest: Octokit['rest']
  readonly paginate: Octokit['paginate']
  /** The login that this job writes under. */
  ownLogin(): Promise<string>
}

const MOST_TRIES = 3
/** Whoever is told to wait longer than this had better say so. */
const LONGEST_WAIT = 120

/**
 * Reading is tried again by the client itself. Writing is not: whoever writes looks again first, because meanwhile
 * somebody else may have written, or the first try may have arrived after all.
 */
export async function connectGitHub({ token, apiUrl }: Pick<Job, 'token' | 'apiUrl'>, io: Io): Promise<GitHub> {
  const [{ Octokit }, { throttling }, { retry }] = await Promise.all([
    import('@octokit/rest'),
    import('@octokit/plugin-throttling'),
    import('@octokit/plugin-retry'),
  ])
  const octokit = new (Octokit.plugin(throttling, retry))({
    auth: token,
    baseUrl: apiUrl,
    userAgent: 'holdfast',
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    request: {
      signal: io.signal,
      fetch: (url: string, options: RequestInit) => io.fetch(new Request(url, options)),
    },
    throttle: {
      id: apiUrl,
      onRateLimit: tryAgain,
      onSecondaryRateLimit: tryAgain,
      write: AT_ONCE,
      notifications: AT_ONCE,
    },
  })
  octokit.hook.before('request', (options) => {
    if (!isReading(options)) options.request.retries = 0
  })
  let login: Promise<string> | undefined
  return {
    rest: octokit.rest,
    paginate: octokit.paginate,
    ownLogin: () => (login ??= loginOf(octokit)),
  }
}

function tryAgain(seconds: number, request: { method: string; url: string }, _: unknown, tries: number): boolean {
  return isReading(request) && seconds <= LONGEST_WAIT && tries < MOST_TRIES
}

/** The token of a job may not ask GET /user; GraphQL tells it who it is. */
async function loginOf(octokit: Octokit): Promise<string> {
  const { viewer } = await octokit.graphql<{ viewer: { login: string } }>('query { viewer { login } }')
  return viewer.login
}

function isReading({ method, url }: { method: string; url: string }): boolean {
  return method === 'GET' || url.endsWith('/graphql')
}

function ignore(): void {}
