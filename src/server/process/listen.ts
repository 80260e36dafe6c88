import { createServer, type Server } from 'node:http'
import { getRequestListener, type Http2Bindings, type HttpBindings } from '@hono/node-server'
import { HoldfastError } from '../../lib/errors.ts'
import { isObject } from '../../lib/json.ts'
import type { DirectBatches } from '../direct-batches.ts'
import { WILDCARDS } from '../requests/host-name.ts'
import { Answer, underWay } from '../requests/answer.ts'
import { inTurn, type Listener } from '../requests/in-turn.ts'
import { PackedAnswer } from '../requests/packed-answer.ts'
import { refuseAmbiguous, unreadableRequest, writeUnreadable } from '../requests/unreadable-request.ts'

export interface ListenOptions {
  readonly host: string
  readonly port: number
  /** The variable that names the port, for messages; PORT by default. */
  readonly variable?: string
  /** Whether other processes listen on the same port. The operating system then distributes the connections. */
  readonly isShared?: boolean
  /** Receives errors that occur while the server listens. */
  readonly failed?: (error: Error) => void
  /** Answers some of the requests without the app. */
  readonly direct?: DirectBatches
  /** Whether answers are compressed; true by default. */
  readonly compresses?: boolean
}

type Fetch = (request: Request, env: HttpBindings | Http2Bindings) => Response | Promise<Response>

/**
 * Longer than the minute for which load balancers keep idle connections. If this side closed them first, a balancer
 * would answer a request with an error.
 */
const KEEP_ALIVE_MS = 75_000

/**
 * The time without progress after which a connection is closed. Otherwise unread answers of up to 256 MiB each would
 * stay in memory (docs/decisions/0021).
 */
export const STALLED_MS = 120_000

/** Listens on a port. Connections are answered from then on. */
export async function listen(fetch: Fetch, options: ListenOptions): Promise<Server> {
  const {
    host,
    port,
    variable = 'PORT',
    isShared = false,
    failed = () => undefined,
    compresses = true,
    direct,
  } = options
  const answer: Fetch = (request, env) => refuseAmbiguous(env.incoming) ?? fetch(request, env)
  const routed: Listener = getRequestListener(answer, { errorHandler: (error) => unreadableRequest('', error) })
  const listener = inTurn(direct === undefined ? routed : directFirst(direct, routed))
  // Node would reject a request without Host itself, and its answer would lack the headers that every answer has.
  const server = createServer(
    { ServerResponse: compresses ? PackedAnswer : Answer, requireHostHeader: false, keepAliveTimeout: KEEP_ALIVE_MS },
    listener,
  )
  // Node would ask for the body before the request is checked. Instead, the code that reads the body asks for it.
  server.on('checkContinue', listener)
  // Unknown expectations may be ignored (RFC 9110, section 10.1.1). Node would reject them.
  server.on('checkExpectation', listener)
  server.on('clientError', writeUnreadable)
  // Node reports each idle connection, even one without a request. It stays open while its answer is still being made.
  server.setTimeout(STALLED_MS, (socket) => {
    if (!underWay.has(socket) || socket.writableLength > 0) socket.destroy()
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(explain(error, { host, port, variable })))
    // An error without a listener ends the process, for example if too many files are open to accept a connection.
    server.listen({ host, port, reusePort: isShared }, () => {
      server.on('error', failed)
      resolve()
    })
  })
  return server
}

/** Answers a request directly if possible, and otherwise by the routes. */
function directFirst(direct: DirectBatches, routed: Listener): Listener {
  return (incoming, outgoing) =>
    direct.takes(incoming)
      ? direct.answer(incoming, outgoing).catch(() => outgoing.destroy())
      : routed(incoming, outgoing)
}

/** Returns the port for several processes after checking that it is free; for 0, returns any free port. */
export async function claimPort(options: ListenOptions): Promise<number> {
  const server = await listen(() => new Response(), options)
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : options.port
}

/** Returns an address at which this machine reaches a listening server. */
export function addressOf(server: Server): string {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server does not listen')
  const host = WILDCARDS[address.address] ?? address.address
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`
}

function explain(
  error: Error,
  { host, port, variable }: Required<Pick<ListenOptions, 'host' | 'port' | 'variable'>>,
): Error {
  const code = isObject(error) ? error['code'] : undefined
  const what = `The server cannot listen on ${host} port ${port}`
  if (code === 'EADDRINUSE')
    return new HoldfastError(
      'CONFLICT',
      `${what}: another program does. Stop that one, or set ${variable} to another port`,
    )
  if (code === 'EACCES')
    return new HoldfastError('FORBIDDEN', `${what}: this user may not. Set ${variable} to one from 1024 upwards`)
  if (code === 'ENOTSUP' || code === 'EOPNOTSUPP')
    return new HoldfastError(
      'BAD_USER_INPUT',
      `${what} with several workers: this system does not share a port. Leave WORKERS out`,
    )
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new HoldfastError('BAD_USER_INPUT', `${what}: this machine has no such address. Check HOST`)
  return error
}
