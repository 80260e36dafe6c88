import { readConfig, type Environment } from '../config.ts'
import { createApp } from './app.ts'
import { Lifecycle } from './lifecycle.ts'
import { ERRORS_ONLY } from './logger.ts'
import { startPlatform } from './start-platform.ts'

export interface EmbeddedOptions {
  readonly dataDir: string
  readonly env: Environment
}

export interface EmbeddedPlatform {
  fetch(request: Request): Promise<Response>
  readonly token: string
  close(): Promise<void>
}

/** The platform inside of this process: the same app, without a network. It must be closed. */
export async function openEmbedded({ dataDir, env }: EmbeddedOptions): Promise<EmbeddedPlatform> {
  const config = readConfig({ ...env, HOLDFAST_DATA_DIR: dataDir }, process.cwd())
  const platform = await startPlatform(config)
  const app = createApp({ lifecycle: new Lifecycle('ready'), logger: ERRORS_ONLY, platform: () => platform })
  return {
    fetch: async (request) => app.fetch(request, {}),
    token: platform.credentials.clientSecret,
    close: () => platform.close(),
  }
}
