import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { HoldfastError } from '../lib/errors.ts'
import { isObject } from '../lib/json.ts'
import { makePrivateFile, readPrivateFile, replacePrivateFile } from './private-file.ts'

/** What the first start makes, so that there is somebody who can sign in. */
export interface Credentials {
  readonly clientId: string
  readonly clientSecret: string
  readonly username: string
  readonly password: string
}

export interface WantedCredentials {
  readonly bootstrapSecret: string | null
  readonly bootstrapPassword: string | null
}

export interface EnsuredCredentials extends Credentials {
  readonly path: string
  /** The names of those that were made at random just now: nobody has seen them yet. */
  readonly made: readonly ('clientSecret' | 'password')[]
}

const CLIENT_SLUG = 'holdfast-cli'

/** The credentials of a data directory. What the environment says wins and is written down, for those who read the file. */
export function ensureCredentials(
  dataDir: string,
  { bootstrapSecret, bootstrapPassword }: WantedCredentials,
): EnsuredCredentials {
  const path = credentialsFile(dataDir)
  const isNew = readPrivateFile(path) === null
  const stored = readCredentials(dataDir) ?? parse(path, makePrivateFile(path, format(newCredentials())))
  const wanted = {
    ...stored,
    clientSecret: bootstrapSecret ?? stored.clientSecret,
    password: bootstrapPassword ?? stored.password,
  }
  if (wanted.clientSecret !== stored.clientSecret || wanted.password !== stored.password)
    replacePrivateFile(path, format(wanted))
  const made = isNew
    ? [
        ...(bootstrapSecret === null ? (['clientSecret'] as const) : []),
        ...(bootstrapPassword === null ? (['password'] as const) : []),
      ]
    : []
  return { ...wanted, path, made }
}

/** Null where the data directory was never started. */
export function readCredentials(dataDir: string): Credentials | null {
  const text = readPrivateFile(credentialsFile(dataDir))
  return text === null ? null : parse(credentialsFile(dataDir), text)
}

function credentialsFile(dataDir: string): string {
  return join(dataDir, 'credentials.json')
}

function newCredentials(): Credentials {
  return {
    // As every application consumer's: its slug and the beginning of its uuid.
    clientId: `${CLIENT_SLUG}.${randomBytes(4).toString('hex')}`,
    clientSecret: randomBytes(32).toString('base64url'),
    username: 'operator',
    password: randomBytes(24).toString('base64url'),
  }
}

/** Named as in a token request (RFC 6749). */
function format({ clientId, clientSecret, username, password }: Credentials): string {
  return `${JSON.stringify({ client_id: clientId, client_secret: clientSecret, username, password }, null, 2)}\n`
}

function parse(path: string, text: string): Credentials {
  const { client_id: clientId, client_secret: clientSecret, username, password } = parseObject(text)
  if ([clientId, clientSecret, username, password].every((part) => typeof part === 'string' && part !== '')) {
    return { clientId, clientSecret, username, password } as Credentials
  }
  throw new HoldfastError(
    'CONFLICT',
    `${path} does not hold client_id, client_secret, username and password; restore it, or remove it to have new ones made`,
  )
}

function parseObject(text: string): { [name: string]: unknown } {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
