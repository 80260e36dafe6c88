import { HoldfastError } from '../../lib/errors.ts'
import { fixedBearer, type Bearer } from '../../client/bearer.ts'
import {
  dataDirectory,
  localServer,
  platformUrl,
  warnOfClearText,
  type PlatformOptions,
} from '../../client/platform-address.ts'
import { graphqlClient, type GraphqlClient } from '../../client/graphql-client.ts'
import { checkDataDirectory } from './check-data-directory.ts'
import type { Context, EmbeddedPlatform, Io } from '../../shell/io.ts'
import { platformTarget } from './platform-target.ts'
import type { Progress } from '../../shell/progress.ts'
import { tellTransfer } from '../../client/transfer.ts'
import { signIn } from '../../client/sign-in.ts'
import type { Target } from './target.ts'

/** The address of the embedded platform, which has no network. */
const EMBEDDED_URL = 'http://localhost/'

/** A connection to a platform. The caller must close it. */
export interface PlatformConnection {
  /** Null for a platform inside this process, which has no address. */
  readonly url: string | null
  readonly request: GraphqlClient
  close(): Promise<void>
}

export async function openTarget(options: PlatformOptions, context: Context, progress: Progress): Promise<Target> {
  return platformTarget({ ...(await connect(options, context, progress)), wait: context.io.wait })
}

/** Connects to the platform at `--url`, else to the server on the data directory, else to one inside this process. */
export async function connect(
  options: PlatformOptions,
  { io, parts }: Context,
  progress: Progress,
): Promise<PlatformConnection> {
  const url = platformUrl(options, io.env)
  if (url !== null) {
    warnOfClearText(url, io.stderr.write.bind(io.stderr))
    return remoteConnection(url, signIn(url, io), io, progress)
  }
  const dataDir = dataDirectory(options, io)
  const server = await parts.runningServer(dataDir)
  if (server !== null) return remoteConnection(...localServer(server, io), io, progress)
  const usable = checkDataDirectory(dataDir)
  if (!usable.ok) throw new HoldfastError('BAD_USER_INPUT', usable.message)
  progress.step('Opening the platform')
  return embeddedConnection(await parts.openEmbedded({ dataDir, env: io.env }), io)
}

function remoteConnection(url: string, bearer: Bearer, io: Io, progress: Progress): PlatformConnection {
  const transfer = tellTransfer((how) => progress.note(how), io.now)
  return { url, request: graphqlClient({ ...io, url, bearer, transfer }), close: () => Promise.resolve() }
}

function embeddedConnection(embedded: EmbeddedPlatform, { signal, now }: Io): PlatformConnection {
  let last: Promise<unknown> = Promise.resolve()
  const fetch = (request: Request) => {
    const answer = embedded.fetch(request)
    last = answer
    return answer
  }
  const close = async () => {
    // After Ctrl-C a request may still run, so the database is closed after that request.
    await Promise.allSettled([last])
    await embedded.close()
  }
  const bearer = fixedBearer(embedded.token)
  return { url: null, request: graphqlClient({ url: EMBEDDED_URL, bearer, fetch, signal, now }), close }
}

/** Opens a target or a connection, and always closes it when the work ends. */
export async function withTarget<Opened extends Pick<PlatformConnection, 'close'>, T>(
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
