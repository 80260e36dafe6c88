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
import { requireRestRight, type RestServices } from './routes/rest-route.ts'

interface DirectParts extends RestServices {
  readonly observers: readonly Observer[]
  readonly addressOf: AddressOf
  /** Says what to answer to an error, and logs what was not expected. */
  failed(error: unknown, traceId: string): Reply
}

/** A request on its way. */
interface Request extends Omit<ArrivingBatch, 'caller' | 'domain'> {
  readonly begin: number
  readonly host: string
  readonly address: string
  domain?: Domain
  actor?: Actor
}

const [METHOD = '', PATH = ''] = ADD_DATAPOINTS.operation.split(' ')

/**
 * Answers batches of datapoints by the functions that the routes use too, in the same order, and without routing and
 * middleware: nearly all requests of a fleet are such batches, and these cost a small one more than its points
 * (docs/decisions/0016). What is out of the ordinary in its headers is left to the routes.
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
    // Where a header comes twice, the routes see both.
    const isEachOnce = Object.keys(headers).length * 2 === rawHeaders.length
    const { host = '', expect, 'transfer-encoding': coding } = headers
    // They also say what is wrong with a host that is no name.
    if (!isEachOnce || expect !== undefined || hostName(host) === null) return false
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
      return this.#parts.failed(error, request.traceId)
    }
  }

  #observe({ begin, domain, traceId, address, actor }: Request, { status }: Reply): void {
    const milliseconds = performance.now() - begin
    const observed = { method: METHOD, path: PATH, route: PATH, status, traceId, address, domain, actor, milliseconds }
    for (const observe of this.#parts.observers) observe(observed)
  }
}

/**
 * A rejected sender has this time for the next bytes of the body, as with the routes (DRAIN_TIMEOUT_MS of
 * @hono/node-server).
 */
const REST_MS = 500

/**
 * Hears a sender out that was refused before the end of its body. Where the network is slow it is still sending, does not
 * read, and would find its connection broken instead of the reason, such as a token that is over.
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

/** A connection that is kept would delay the end for as long as it may be idle. */
function closing(reply: Reply): Reply {
  return { ...reply, headers: { ...reply.headers, connection: 'close' } }
}
