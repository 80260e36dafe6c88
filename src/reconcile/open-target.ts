import { join, resolve } from 'node:path'
import { HoldfastError } from '../lib/errors.ts'
import { fixedBearer, type Bearer } from './bearer.ts'
import { graphqlClient, type GraphqlClient } from './graphql-client.ts'
import { isEncrypted, isOfThisMachine } from './address.ts'
import { checkDataDirectory } from './health.ts'
import type { Context, EmbeddedPlatform, Io, RunningServer } from './io.ts'
import { platformTarget } from './platform-target.ts'
import type { Progress } from './progress.ts'
import { passwordBearer, signIn } from './sign-in.ts'
import type { Target } from './target.ts'

/** The options that say which platform is meant. */
export interface PlatformOptions {
  readonly url?: string
  readonly dataDir?: string
}

/** The address of the embedded platform, which has no network. */
const EMBEDDED_URL = 'http://localhost/'

/** A platform that can be asked. It must be closed. */
export interface Connection {
  /** Null for one inside this process, which has no address. */
  readonly url: string | null
  readonly request: GraphqlClient
  close(): Promise<void>
}

export async function openTarget(options: PlatformOptions, context: Context, progress: Progress): Promise<Target> {
  return platformTarget({ ...(await connect(options, context, progress)), wait: context.io.wait })
}

/** The platform at `--url`, else the server that runs on the data directory now, else one inside this process. */
export async function connect(
  options: PlatformOptions,
  { io, parts }: Context,
  progress: Progress,
): Promise<Connection> {
  const url = platformUrl(options, io.env)
  if (url !== null) {
    warnOfClearText(url, io.stderr.write.bind(io.stderr))
    return remoteConnection(url, signIn(url, io), io)
  }
  const dataDir = dataDirectory(options, io)
  const server = await parts.runningServer(dataDir)
  if (server !== null) return remoteConnection(...localServer(server, io), io)
  const usable = checkDataDirectory(dataDir)
  if (!usable.ok) throw new HoldfastError('BAD_USER_INPUT', usable.message)
  progress.step('Opening the platform')
  return embeddedConnection(await parts.openEmbedded({ dataDir, env: io.env }), io)
}

function remoteConnection(url: string, bearer: Bearer, { fetch, signal, now }: Io): Connection {
  return { url, request: graphqlClient({ url, bearer, fetch, signal, now }), close: () => Promise.resolve() }
}

const IN_THE_DATA_DIRECTORY = {
  client: 'client_id and client_secret in credentials.json of the data directory',
  user: 'username and password in credentials.json of the data directory',
}

/** Where the server of the data directory is, and the credential of the directory's owner. */
export function localServer(server: RunningServer, io: Io): [url: string, bearer: Bearer] {
  const url = baseUrl(server.url, 'the server that runs here')
  return [url, passwordBearer(url, server.credentials, io, IN_THE_DATA_DIRECTORY)]
}

function embeddedConnection(embedded: EmbeddedPlatform, { signal, now }: Io): Connection {
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
  const bearer = fixedBearer(embedded.token)
  return { url: null, request: graphqlClient({ url: EMBEDDED_URL, bearer, fetch, signal, now }), close }
}

/** Opens a target or a connection, and closes it however the work ends. */
export async function withTarget<Opened extends Pick<Connection, 'close'>, T>(
  open: Promise<Opened>,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  const opened = await open
  try {
    return await work(opened)
  } finally {
    await opened.close()
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

export function warnOfClearText(url: string, write: (text: string) => void): void {
  if (isEncrypted(url) || isOfThisMachine(url)) return
  write(`warning: ${url} is not encrypted; the credential and all secrets can be read on the way\n`)
}
