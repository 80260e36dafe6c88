import { connect, type Clock, type ConnectOptions, type Holdfast } from '../api-client/index.ts'
import type { Bearer } from '../client/bearer.ts'
import { HoldfastError } from '../lib/errors.ts'
import type { Context, Credentials, Io } from '../shell/io.ts'
import {
  dataDirectory,
  localServer,
  platformUrl,
  warnOfClearText,
  type PlatformOptions,
} from '../client/platform-address.ts'
import { credentialsIn, signIn } from '../client/sign-in.ts'

/** The platform as devices reach it over the network. */
export interface SimulatedOn {
  /** The address, which ends with `/`. */
  readonly url: string
  /** The platform as the user of the command reaches it. Requests are not repeated. */
  readonly holdfast: Holdfast
  /** The options of `holdfast`. */
  readonly options: ConnectOptions
  /** Stops the simulation: nothing is repeated any more, and requests that run are finished. */
  readonly stop: AbortController
  /** A clock whose waits end when the simulation is stopped. */
  readonly clock: Clock
  /** The client with which devices sign in; null if only a token is known. Then devices use that token, too. */
  readonly client: Pick<Credentials, 'clientId' | 'clientSecret'> | null
}

/** Returns the platform at `--url`. Without `--url`, it returns the server on the data directory. */
export async function reachPlatform(
  options: PlatformOptions,
  { io, parts }: Context,
  stop: AbortController,
): Promise<SimulatedOn> {
  const url = platformUrl(options, io.env)
  if (url !== null) {
    warnOfClearText(url, io.stderr.write.bind(io.stderr))
    const hasToken = Boolean(io.env['HOLDFAST_TOKEN'])
    return reached(url, signIn(url, io), hasToken ? null : credentialsIn(io.env), { io, stop })
  }
  const directory = dataDirectory(options, io)
  const server = await parts.runningServer(directory)
  if (server !== null) return reached(...localServer(server, io), server.credentials, { io, stop })
  throw new HoldfastError(
    'UNAVAILABLE',
    `no server runs on ${directory}, and devices send over the network: start one (npm start, or holdfast serve) and run this command beside it, or name another platform by --url`,
  )
}

function reached(
  url: string,
  bearer: Bearer,
  client: Credentials | null,
  { io, stop }: { readonly io: Io; readonly stop: AbortController },
): SimulatedOn {
  const { fetch, signal } = io
  const clock = stoppableClock(io, stop.signal)
  const options = { url, bearer, fetch, signal, clock, retry: { totalMs: 0 } }
  return { url, client, holdfast: connect(options), options, clock, stop }
}

/** Pauses are split into slices of this length in milliseconds, so that an interruption ends them soon. */
const SLICE = 1_000

/** Makes a clock whose waits end, by an error, when the simulation is stopped. */
function stoppableClock({ now, wait }: Pick<Io, 'now' | 'wait'>, stop: AbortSignal): Clock {
  return {
    now,
    async wait(milliseconds) {
      for (let left = milliseconds; left > 0 && !stop.aborted; left -= SLICE)
        await wait(Math.min(left, SLICE)).catch(() => undefined)
      stop.throwIfAborted()
    },
  }
}
