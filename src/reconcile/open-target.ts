import { join, resolve } from 'node:path'
import { HoldfastError } from '../lib/errors.ts'
import { graphqlClient } from './graphql-client.ts'
import { checkDataDirectory } from './health.ts'
import type { Context, EmbeddedPlatform } from './io.ts'
import { platformTarget } from './platform-target.ts'
import type { Progress } from './progress.ts'
import { signIn } from './sign-in.ts'
import type { Target } from './target.ts'

/** The options that say which platform is meant. */
export interface PlatformOptions {
  readonly url?: string
  readonly dataDir?: string
}

/** The address of the embedded platform, which has no network. */
const EMBEDDED_URL = 'http://localhost/'

/** The platform at `--url`, else the server that runs on the data directory now, else one inside this process. */
export async function openTarget(
  options: PlatformOptions,
  { io, parts }: Context,
  progress: Progress,
): Promise<Target> {
  const { signal, wait } = io
  const url = platformUrl(options, io.env)
  if (url !== null) {
    warnOfClearText(url, io.stderr.write.bind(io.stderr))
    const token = await signIn(url, io)
    return platformTarget({ request: graphqlClient({ url, token, fetch: io.fetch, signal }), wait })
  }
  const dataDir = dataDirectory(options, io)
  const server = await parts.runningServer(dataDir)
  if (server !== null) {
    const endpoint = {
      url: baseUrl(server.url, 'the server that runs here'),
      token: server.token,
      fetch: io.fetch,
      signal,
    }
    return platformTarget({ request: graphqlClient(endpoint), wait })
  }
  const usable = checkDataDirectory(dataDir)
  if (!usable.ok) throw new HoldfastError('BAD_USER_INPUT', usable.message)
  progress.step('Opening the platform')
  const embedded = await parts.openEmbedded({ dataDir, env: io.env })
  return embeddedTarget(embedded, io)
}

function embeddedTarget(embedded: EmbeddedPlatform, { signal, wait }: Context['io']): Target {
  let last: Promise<unknown> = Promise.resolve()
  const fetch = (request: Request) => {
    const answer = embedded.fetch(request)
    last = answer
    return answer
  }
  const close = async () => {
    // After Ctrl-C a request may still be at work; the database is not taken away from under it.
    await Promise.allSettled([last])
    await embedded.close()
  }
  const request = graphqlClient({ url: EMBEDDED_URL, token: embedded.token, fetch, signal })
  return platformTarget({ request, wait, close })
}

/** Opens a target, and closes it however the work ends. */
export async function withTarget<T>(open: Promise<Target>, work: (target: Target) => Promise<T>): Promise<T> {
  const target = await open
  try {
    return await work(target)
  } finally {
    await target.close()
  }
}

export function platformUrl({ url }: PlatformOptions, env: Context['io']['env']): string | null {
  if (url !== undefined) return baseUrl(url, '--url')
  const fromEnvironment = env['HOLDFAST_URL']
  return fromEnvironment ? baseUrl(fromEnvironment, 'HOLDFAST_URL') : null
}

export function dataDirectory({ dataDir }: PlatformOptions, { env, cwd }: Pick<Context['io'], 'env' | 'cwd'>): string {
  return resolve(cwd, dataDir ?? (env['HOLDFAST_DATA_DIR'] || join(cwd, '.holdfast')))
}

function baseUrl(text: string, source: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new HoldfastError(
      'BAD_USER_INPUT',
      `${source} must be an address such as https://building.example.com, not ${JSON.stringify(text)}`,
    )
  }
  if (url.username !== '' || url.password !== '') {
    throw new HoldfastError(
      'BAD_USER_INPUT',
      `${source} must not hold a password: addresses end up in logs; see HOLDFAST_TOKEN`,
    )
  }
  url.search = ''
  url.hash = ''
  if (!url.pathname.endsWith('/')) url.pathname += '/'
  return url.href
}

function warnOfClearText(url: string, write: (text: string) => void): void {
  const { protocol, hostname } = new URL(url)
  if (protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname)) return
  write(`warning: ${url} is not encrypted; the credential and all secrets can be read on the way\n`)
}
