import { readHolder } from '../../db/pglite/directory-lock.ts'
import { readCredentials, type Credentials } from '../requests/credentials.ts'

// Nothing of the platform is loaded here, so that a command against a running server is fast.

/** The server that runs on a data directory, with the credentials of its owner. */
export async function runningServer(
  dataDir: string,
): Promise<{ readonly url: string; readonly credentials: Credentials } | null> {
  const url = readHolder(dataDir)?.url ?? null
  const credentials = url === null ? null : readCredentials(dataDir)
  return url === null || credentials === null ? null : { url, credentials }
}
