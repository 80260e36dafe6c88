import { randomBytes } from 'node:crypto'
import { readConfig, type Environment } from '../../config.ts'
import { createApp } from '../app.ts'
import { operatorAuthenticator } from '../authenticate.ts'
import { Lifecycle } from '../lifecycle.ts'
import { ERRORS_ONLY } from '../logger.ts'
import { startPlatform } from './start-platform.ts'
import { readHolder } from '../../db/pglite/directory-lock.ts'
import { readCredentials, type Credentials } from './credentials.ts'

export interface EmbeddedOptions {
  readonly dataDir: string
  readonly env: Environment
}

export interface EmbeddedPlatform {
  fetch(request: Request): Promise<Response>
  readonly token: string
  close(): Promise<void>
}

/**
 * Opens the platform inside this process, without a network. The owner of the process also has the data directory, so
 * no sign-in is needed: a token made for this process represents the operator. The result must be closed.
 */
export async function openEmbedded({ dataDir, env }: EmbeddedOptions): Promise<EmbeddedPlatform> {
  const config = readConfig({ ...env, HOLDFAST_DATA_DIR: dataDir }, process.cwd())
  const platform = await startPlatform(config)
  const token = randomBytes(32).toString('base64url')
  const own = { ...platform, authenticate: operatorAuthenticator(token) }
  const { app } = createApp({ lifecycle: new Lifecycle('ready'), logger: ERRORS_ONLY, platform: () => own })
  return {
    fetch: async (request) => app.fetch(request, {}),
    token,
    close: () => platform.close(),
  }
}

// Nothing here loads the platform, so that commands against a running server are fast.

/** Returns the server that runs on a data directory, with the credentials of its owner. */
export async function runningServer(
  dataDir: string,
): Promise<{ readonly url: string; readonly credentials: Credentials } | null> {
  const url = readHolder(dataDir)?.url ?? null
  const credentials = url === null ? null : readCredentials(dataDir)
  return url === null || credentials === null ? null : { url, credentials }
}
