import type { IncomingMessage } from 'node:http'
import { acting, type Actor } from '../platform/access/grants/actor.ts'
import type { Domain } from '../store/domains.ts'
import { domainAt } from './middleware/domain-of-host.ts'
import { completion } from './middleware/every-header.ts'
import type { AddressOf, Observer } from './middleware/observed.ts'
import { identifyBy } from './middleware/require-bearer.ts'
import { traceIdOf } from './requests/trace.ts'
import type { Answer } from './requests/answer.ts'
import { hostName } from './requests/host-name.ts'
import { collectBody, DISCARDING_MS, MOST_DISCARDED } from './requests/read-body.ts'
import { refuseAmbiguous } from './requests/unreadable-request.ts'
import { writeReply, type Reply } from './requests/reply.ts'
import { ADD_DATAPOINTS, batchStore, type ArrivingBatch } from './routes/data-points.ts'
import { withMetadata } from './routes/protected-resource.ts'
import { requireRestRight, type RestServices } from './routes/rest-route.ts'

interface DirectParts extends RestServices {
  readonly observers: readonly Observer[]
  readonly addressOf: AddressOf
  /** Returns the answer to an error, and logs unexpected errors. */
  failed(error: unknown, traceId: string): Reply
}

/** A request in progress. */
interface Request extends Omit<ArrivingBatch, 'caller' | 'domain'> {
  readonly begin: number
  readonly host: string
  readonly address: string
  domain?: Domain
  actor?: Actor
}

const [METHOD = '', PATH = ''] = ADD_DATAPOINTS.operation.split(' ')

/**
 * Answers batches of datapoints with the functions of the routes, in the same order, but without routing and
 * middleware. Nearly all requests of a fleet are such batches, and for small ones routing costs more than storing the
 * points (docs/decisions/0032). Requests with unusual headers are left to the routes.
 */
export class DirectBatches {
  readonly #parts: DirectParts
  readonly #store: (batch: ArrivingBatch) => Promise<Reply>

  constructor(parts: DirectParts) {
    this.#parts = parts
    this.#store = batchStore(parts)
  }

  takes(incoming: IncomingMessage): boolean {
    const { method, url, headers, rawHeaders } = incoming
    if (method !== METHOD || url !== PATH || this.#parts.lifecycle.state !== 'ready') return false
    // The routes announce a deprecation.
    if (ADD_DATAPOINTS.deprecated !== undefined) return false
    // If a header occurs twice, only the routes see both values.
    const isEachOnce = Object.keys(headers).length * 2 === rawHeaders.length
    const { host = '', expect, origin, 'transfer-encoding': coding } = headers
    // The routes also answer pages of other origins, and report an invalid host name.
    if (!isEachOnce || expect !== undefined || origin !== undefined || hostName(host) === null) return false
    return coding === undefined || refuseAmbiguous(incoming) === null
  }

  async answer(incoming: IncomingMessage, outgoing: Answer): Promise<void> {
    const begin = performance.now()
    const { headers } = incoming
    const { host = '' } = headers
    const header = (name: string) => headers[name]?.toString()
    const read: ArrivingBatch['read'] = (limit, hold) => collectBody(incoming, limit, hold)
    const address = this.#parts.addressOf(incoming.socket.remoteAddress, header('x-forwarded-for'))
    const request: Request = { begin, host, address, traceId: traceIdOf(header('traceparent')), header, read }
    const reply = await this.#replyTo(request)
    this.#observe(request, reply)
    outgoing.complete = completion(request.traceId)
    writeReply(outgoing, this.#parts.lifecycle.state === 'draining' ? closing(reply) : reply)
    if (!incoming.complete) hearOut(incoming)
  }

  async #replyTo(request: Request): Promise<Reply> {
    try {
      const { platform, bearers } = this.#parts
      const domain = await domainAt(platform(), request.host)
      request.domain = domain
      const authorization = request.header('authorization')
      const caller = await identifyBy(authorization, domain, bearers.remember(platform().authenticate))
      request.actor = caller
      requireRestRight(ADD_DATAPOINTS, caller)
      request.actor = acting(caller, ADD_DATAPOINTS.right)
      return await this.#store({ ...request, domain, caller })
    } catch (error) {
      const reply = this.#parts.failed(error, request.traceId)
      return withMetadata(reply, this.#parts.platform, { domain: request.domain, host: request.host, path: PATH })
    }
  }

  #observe({ begin, domain, traceId, address, actor }: Request, { status }: Reply): void {
    const milliseconds = performance.now() - begin
    const observed = { method: METHOD, path: PATH, route: PATH, status, traceId, address, domain, actor, milliseconds }
    for (const observe of this.#parts.observers) observe(observed)
  }
}

/**
 * The time in which a rejected client must send the next bytes of its body. The routes use the same limit
 * (DRAIN_TIMEOUT_MS of @hono/node-server).
 */
const REST_MS = 500

/**
 * Reads the rest of a rejected request's body. On a slow network the client is still sending. If the connection broke,
 * the client would not see the reason, such as an expired token.
 */
function hearOut(incoming: IncomingMessage): void {
  const stop = performance.now() + DISCARDING_MS
  let size = 0
  const quiet = setTimeout(() => incoming.destroy(), REST_MS).unref()
  incoming.on('data', (bytes: Uint8Array) => {
    size += bytes.length
    if (size > MOST_DISCARDED || performance.now() > stop) incoming.destroy()
    else quiet.refresh()
  })
  incoming.once('close', () => clearTimeout(quiet)).once('end', () => clearTimeout(quiet))
}

/** Closes the connection after the answer, because an idle keep-alive connection would delay the stop. */
function closing(reply: Reply): Reply {
  return { ...reply, headers: { ...reply.headers, connection: 'close' } }
}
