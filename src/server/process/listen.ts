import { createServer, type IncomingMessage, type Server } from 'node:http'
import { getRequestListener, type Http2Bindings, type HttpBindings } from '@hono/node-server'
import { HoldfastError } from '../../lib/errors.ts'
import { isObject } from '../../lib/json.ts'
import type { DirectBatches } from '../direct-batches.ts'
import { WILDCARDS } from '../requests/host-name.ts'
import { Answer, underWay } from '../requests/answer.ts'
import { refuseAmbiguous, unreadableRequest, writeUnreadable } from '../requests/unreadable-request.ts'

export interface ListenOptions {
  readonly host: string
  readonly port: number
  /** The variable that names the port, for messages; PORT by default. */
  readonly variable?: string
  /** Whether other processes listen on the same port, so that the system gives each of them a part of the connections. */
  readonly isShared?: boolean
  /** Is told of what fails while the server listens; left out if nobody wants to know. */
  readonly failed?: (error: Error) => void
  /** Answers some of the requests by itself. */
  readonly direct?: DirectBatches
}

type Fetch = (request: Request, env: HttpBindings | Http2Bindings) => Response | Promise<Response>

/** Balancers keep idle connections for a minute, and answer a request by an error where this side has just ended its own. */
const KEEP_ALIVE_MS = 75_000

/** Answers that nobody reads would stay in memory, up to 256 MiB each (docs/decisions/0021). */
export const STALLED_MS = 120_000

/** Listens. From then on, connections are answered. */
export async function listen(fetch: Fetch, options: ListenOptions): Promise<Server> {
  const { host, port, variable = 'PORT', isShared = false, failed = () => undefined } = options
  const answer: Fetch = (request, env) => refuseAmbiguous(env.incoming) ?? fetch(request, env)
  const listener = getRequestListener(answer, { errorHandler: (error) => unreadableRequest('', error) })
  // Node would refuse a request without Host by an answer of its own, without the headers that every answer has.
  const server = createServer(
    { ServerResponse: Answer, requireHostHeader: false, keepAliveTimeout: KEEP_ALIVE_MS },
    listener,
  )
  // Node would ask for a body before the request was checked. Here the code that reads the body asks for it.
  server.on('checkContinue', listener)
  // An expectation that nobody knows may be ignored (RFC 9110, section 10.1.1). Node would answer it by itself.
  server.on('checkExpectation', listener)
  server.on('clientError', writeUnreadable)
  // Node tells of each connection on which nothing happens, also of one without a request. An answer may take long to make.
  server.setTimeout(STALLED_MS, (socket) => {
    if (!underWay.has(socket) || socket.writableLength > 0) socket.destroy()
  })
  if (options.direct !== undefined) putFirst(options.direct, server, listener)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(explain(error, { host, port, variable })))
    // An error that nobody hears ends the process, as where too few files may be open to accept a connection.
    server.listen({ host, port, reusePort: isShared }, () => {
      server.on('error', failed)
      resolve()
    })
  })
  return server
}

type Listener = (incoming: IncomingMessage, outgoing: Answer) => unknown

/** Lets a request be answered directly where it can be, and otherwise by the listener that the server has. */
function putFirst(
  direct: DirectBatches,
  server: Server<typeof IncomingMessage, typeof Answer>,
  otherwise: Listener,
): void {
  server.off('request', otherwise)
  server.on('request', (incoming, outgoing) => {
    if (!direct.takes(incoming)) return otherwise(incoming, outgoing)
    return direct.answer(incoming, outgoing).catch(() => outgoing.destroy())
  })
}

/** The port that processes shall share, once it is sure that nobody else has it; any free one for 0. */
export async function claimPort(options: ListenOptions): Promise<number> {
  const server = await listen(() => new Response(), options)
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : options.port
}

/** An address that reaches a listening server from this machine. */
export function addressOf(server: Server): string {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server does not listen')
  const host = WILDCARDS[address.address] ?? address.address
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`
}

function explain(
  error: Error,
  { host, port, variable }: Required<Omit<ListenOptions, 'isShared' | 'direct' | 'failed'>>,
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
