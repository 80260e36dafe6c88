import { join, resolve } from 'node:path'
import { HoldfastError } from '../lib/errors.ts'
import type { Environment, Io, RunningServer } from '../shell/io.ts'
import { pathBelow } from '../shell/path-below.ts'
import type { Bearer } from './bearer.ts'
import { passwordBearer } from './password-bearer.ts'

/** The options that select the platform. */
export interface PlatformOptions {
  readonly url?: string
  readonly dataDir?: string
}

export function platformUrl({ url }: PlatformOptions, env: Environment): string | null {
  if (url !== undefined) return baseUrl(url, '--url')
  const fromEnvironment = env['HOLDFAST_URL']
  return fromEnvironment ? baseUrl(fromEnvironment, 'HOLDFAST_URL') : null
}

/** Returns the name of the platform without asking it. This works because each domain has its own address. */
export function platformName(options: PlatformOptions, env: Environment): string {
  const url = platformUrl(options, env)
  if (url === null) return 'embedded'
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`.replace(/\/$/, '')
}

/** Returns a name that distinguishes several platforms: the address, or the data directory of an embedded platform. */
export function shownPlatform(options: PlatformOptions, io: Pick<Io, 'env' | 'cwd'>): string {
  if (platformUrl(options, io.env) !== null) return platformName(options, io.env)
  const directory = dataDirectory(options, io)
  return pathBelow(io.cwd, directory) || directory
}

/** Returns the options that select the same platform, for a command that the user can paste. */
export function samePlatform({ url, dataDir }: PlatformOptions): readonly string[] {
  return [...(url === undefined ? [] : ['--url', url]), ...(dataDir === undefined ? [] : ['--data-dir', dataDir])]
}

export function dataDirectory({ dataDir }: PlatformOptions, { env, cwd }: Pick<Io, 'env' | 'cwd'>): string {
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

const IN_THE_DATA_DIRECTORY = {
  client: 'client_id and client_secret in credentials.json of the data directory',
  user: 'username and password in credentials.json of the data directory',
}

/** Returns the address of the server on the data directory, and a bearer for the credentials of its owner. */
export function localServer(server: RunningServer, io: Io): [url: string, bearer: Bearer] {
  const url = baseUrl(server.url, 'the server that runs here')
  return [url, passwordBearer(url, server.credentials, io, IN_THE_DATA_DIRECTORY)]
}

export function isEncrypted(url: string): boolean {
  return new URL(url).protocol === 'https:'
}

/** Tells whether requests to the address stay on this machine. */
export function isOfThisMachine(url: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname)
}
