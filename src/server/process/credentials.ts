import { join } from 'node:path'
import { HoldfastError } from '../../lib/errors.ts'
import { isObject } from '../../lib/json.ts'
import { readPrivateFile, replacePrivateFile } from './private-file.ts'

/** The credentials by which the owner of a data directory signs in to the server that runs on it. */
export interface Credentials {
  readonly clientId: string
  readonly clientSecret: string
  readonly username: string
  readonly password: string
}

/** Returns null if no server has run on the data directory yet. */
export function readCredentials(dataDir: string): Credentials | null {
  const text = readPrivateFile(credentialsFile(dataDir))
  return text === null ? null : parse(credentialsFile(dataDir), text)
}

export function writeCredentials(dataDir: string, credentials: Credentials): void {
  replacePrivateFile(credentialsFile(dataDir), format(credentials))
}

export function credentialsFile(dataDir: string): string {
  return join(dataDir, 'credentials.json')
}

/** The names are the parameters of a token request (RFC 6749). */
function format({ clientId, clientSecret, username, password }: Credentials): string {
  return `${JSON.stringify({ client_id: clientId, client_secret: clientSecret, username, password }, null, 2)}\n`
}

function parse(path: string, text: string): Credentials {
  const { client_id: clientId, client_secret: clientSecret, username, password } = parseObject(text)
  if (isFilled(clientId) && isFilled(clientSecret) && isFilled(username) && isFilled(password))
    return { clientId, clientSecret, username, password }
  throw new HoldfastError(
    'CONFLICT',
    `${path} does not hold client_id, client_secret, username and password; restore it, or remove it to have new ones made`,
  )
}

function isFilled(part: unknown): part is string {
  return typeof part === 'string' && part !== ''
}

function parseObject(text: string): { [name: string]: unknown } {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
