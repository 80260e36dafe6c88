import type { ThrottlingOptions } from '@octokit/plugin-throttling'
import type { Octokit } from '@octokit/rest'
import type { Io } from '../../shell/io.ts'
import type { Job } from './job.ts'
import { LONGEST_WAIT } from './refusals.ts'

/** Switches off the pauses between writes. They are for programs that write much, and a job writes twice. */
const AT_ONCE = {
  key: () => ({ schedule: (_: unknown, work: () => Promise<void>) => work() }),
} as unknown as NonNullable<ThrottlingOptions['write']>

/** GitHub as a job uses it. */
interface GitHub {
  readonly rest: Octokit['rest']
  readonly paginate: Octokit['paginate']
  /** The login that this job writes as. */
  ownLogin(): Promise<string>
}

const MOST_TRIES = 3

/**
 * Connects to GitHub. The client itself retries failed reads. It does not retry writes, because the caller must read
 * again first: another run may have written, or the first attempt may have succeeded.
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
  let login: string | undefined
  return {
    rest: octokit.rest,
    paginate: octokit.paginate,
    ownLogin: async () => (login ??= await loginOf(octokit)),
  }
}

function tryAgain(seconds: number, request: { method: string; url: string }, _: unknown, tries: number): boolean {
  return isReading(request) && seconds <= LONGEST_WAIT && tries < MOST_TRIES
}

/** The login of the job. Its token may not call GET /user, so GraphQL is used instead. */
async function loginOf(octokit: Octokit): Promise<string> {
  const { viewer } = await octokit.graphql<{ viewer: { login: string } }>('query { viewer { login } }')
  return viewer.login
}

function isReading({ method, url }: { method: string; url: string }): boolean {
  return method === 'GET' || url.endsWith('/graphql')
}

function ignore(): void {}
