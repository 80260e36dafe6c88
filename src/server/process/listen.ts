import { createServer, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { HoldfastError } from '../../lib/errors.ts'
import { isObject } from '../../lib/json.ts'
import { Answer } from '../requests/answer.ts'
import { unreadableRequest, writeUnreadable } from '../requests/unreadable-request.ts'

export interface ListenOptions {
  readonly host: string
  readonly port: number
  /** The variable that names the port, for messages; PORT by default. */
  readonly variable?: string
}

type Fetch = (request: Request, env: object) => Response | Promise<Response>

/** Listens. From then on, connections are answered. */
export async function listen(fetch: Fetch, { host, port, variable = 'PORT' }: ListenOptions): Promise<Server> {
  const listener = getRequestListener(fetch, { errorHandler: () => unreadableRequest() })
  const server = createServer({ ServerResponse: Answer }, listener)
  // Node would ask for a body before the request was checked. Here the code that reads the body asks for it.
  server.on('checkContinue', listener)
  server.on('clientError', writeUnreadable)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(explain(error, { host, port, variable })))
    server.listen({ host, port }, resolve)
  })
  return server
}

/** An address that reaches a listening server from this machine. */
export function addressOf(server: Server): string {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server does not listen')
  const host = { '0.0.0.0': '127.0.0.1', '::': '::1' }[address.address] ?? address.address
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`
}

function explain(error: Error, { host, port, variable }: Required<ListenOptions>): Error {
  const code = isObject(error) ? error['code'] : undefined
  const what = `The server cannot listen on ${host} port ${port}`
  if (code === 'EADDRINUSE')
    return new HoldfastError(
      'CONFLICT',
      `${what}: another program does. Stop that one, or set ${variable} to another port`,
    )
  if (code === 'EACCES')
    return new HoldfastError('FORBIDDEN', `${what}: this user may not. Set ${variable} to one from 1024 upwards`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new HoldfastError('BAD_USER_INPUT', `${what}: this machine has no such address. Check HOST`)
  return error
}
