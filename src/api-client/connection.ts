import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { ClientError, GraphQLClient } from 'graphql-request'
import { fixedBearer, renewableBearer, sendWith, type Bearer, type Grant } from '../client/bearer.ts'
import { passwordBearer } from '../client/password-bearer.ts'
import { HoldfastError } from '../lib/errors.ts'
import { isObject } from '../lib/json.ts'
import { untilAborted } from '../lib/until-aborted.ts'
import { ApiError, lostAnswer, refusal } from './api-error.ts'
import { DOCUMENTS } from './documents.ts'
import { KnownComponents } from './known-components.ts'
import { Retrying, SYSTEM_CLOCK, type Clock, type RetryOptions } from './retrying.ts'

export interface ConnectOptions {
  /** The address of the platform. */
  readonly url: string | URL
  /** A token, or a function that gets a new one. The client keeps the token until the platform rejects it. */
  readonly token?: string | (() => string | Promise<string>)
  /** Signs in a user or a device with its password, instead of `token`. The secrets must not reach a browser. */
  readonly credentials?: Credentials
  /** Gets and renews tokens, instead of `token`. */
  readonly bearer?: Bearer
  readonly retry?: RetryOptions
  /** Milliseconds after which an attempt counts as lost; by default one minute. A batch gets 1 s more for 64 kB. */
  readonly timeoutMs?: number
  /** The format in which datapoints are sent; by default JSON. */
  readonly format?: 'json' | 'msgpack'
  /** Ends all requests of the client. */
  readonly signal?: AbortSignal
  readonly fetch?: (request: Request) => Promise<Response>
  /** Replaces the clock, for tests. */
  readonly clock?: Clock
}

export interface Credentials {
  readonly clientId: string
  readonly clientSecret: string
  readonly username: string
  readonly password: string
}

/** The options of every call. */
export interface Call {
  /** Aborts the call, which then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds after which the request is not repeated any more, in place of the client's setting. */
  readonly totalMs?: number | undefined
}

interface Attempt extends Call {
  readonly timeoutMs?: number
  /** The size of the upload, which an attempt gets more time for. */
  readonly bytes?: number
}

const TIMEOUT_MS = 60_000
/** The slowest upload, in bytes for each millisecond: half a megabit for each second. */
const SLOWEST_UPLOAD = 64
/** The longest time of a timer. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1

const NAMES = { client: 'clientId and clientSecret', user: 'username and password' }

/** Sends requests to one platform, with a valid token, until they are answered. */
export class Connection {
  /** The address, which ends with `/`. */
  readonly url: string
  readonly format: 'json' | 'msgpack'
  readonly retrying: Retrying
  readonly clock: Clock
  /** Each component is looked up once for all calls, so no call can abort it. */
  readonly known: KnownComponents
  readonly #options: ConnectOptions
  readonly #signal: AbortSignal
  readonly #bearer: Bearer
  readonly #graphql: GraphQLClient

  constructor(options: ConnectOptions) {
    const { url, clock = SYSTEM_CLOCK, retry = {}, format = 'json' } = options
    const address = new URL(url)
    if (!address.pathname.endsWith('/')) address.pathname += '/'
    this.url = address.href
    this.format = format
    this.clock = clock
    this.retrying = new Retrying(retry, clock)
    this.known = new KnownComponents(
      async (components) => (await this.query(DOCUMENTS.Supports, { components }, { totalMs: 0 })).components.nodes,
    )
    this.#options = options
    this.#signal = options.signal ?? new AbortController().signal
    this.#bearer = this.#bearerOf(options)
    this.#graphql = new GraphQLClient(new URL('graphql', this.url).href, {
      fetch: (_, init) => this.ask('graphql', init),
    })
  }

  /** The signal that ends a call. */
  signalOf({ signal }: Call): AbortSignal {
    return signal === undefined ? this.#signal : AbortSignal.any([this.#signal, signal])
  }

  /** Waits for work that several calls share, and repeats it for as long as this call may. */
  shared<T>(work: () => Promise<T>, call: Call): Promise<T> {
    const signal = this.signalOf(call)
    return this.retrying.persist(() => untilAborted(work(), signal), signal, call.totalMs)
  }

  /** Repeats an attempt until it is answered. The attempt gets a signal that also ends it after a time. */
  repeat<T>(attempt: (signal: AbortSignal) => Promise<T>, call: Attempt): Promise<T> {
    const signal = this.signalOf(call)
    const work = () => attempt(AbortSignal.any([signal, this.#timeout(call)]))
    return this.retrying.persist(work, signal, call.totalMs)
  }

  /** Runs a query, which may be repeated. */
  query<Data, Variables extends object>(
    document: TypedDocumentNode<Data, Variables>,
    variables: Variables,
    call: Call = {},
  ): Promise<Data> {
    return this.repeat(async (signal) => {
      try {
        return await this.#graphql.request<Data>({ document, variables: { ...variables }, signal })
      } catch (error) {
        throw this.#graphqlError(error)
      }
    }, call)
  }

  /** Runs a mutation once, because a repeated mutation could overwrite a later change of somebody else. */
  mutate<Data, Variables extends object>(
    document: TypedDocumentNode<Data, Variables>,
    variables: Variables,
    call: Call = {},
  ): Promise<Data> {
    return this.query(document, variables, { ...call, totalMs: 0 })
  }

  /** Makes one attempt, and returns the answer when its headers have arrived. */
  async open(path: string, { headers, ...init }: RequestInit = {}): Promise<Response> {
    const sending = sendWith(this.#bearer, async (token) => {
      const all = new Headers(headers)
      if (token !== '') all.set('authorization', `Bearer ${token}`)
      try {
        return await this.#fetch(new Request(new URL(path, this.url), { ...init, headers: all, redirect: 'manual' }))
      } catch (error) {
        throw lostAnswer(this.url, error)
      }
    })
    const response = await this.#inTime(sending, init.signal)
    if (response.ok) return response
    const body: unknown = await response.json().catch(() => null)
    throw this.refusal(response, body)
  }

  /** Makes one attempt, and reads the whole answer, so that a connection that breaks in its middle is found here. */
  async ask(path: string, init: RequestInit = {}): Promise<Response> {
    const response = await this.open(path, init)
    try {
      const text = await response.text()
      // A new Response would encode the text again.
      return Object.defineProperty(response, 'text', { value: () => Promise.resolve(text) })
    } catch (error) {
      throw lostAnswer(this.url, error)
    }
  }

  /**
   * Makes one attempt to store something. A proxy or login page may also answer with success, but not as the platform.
   */
  async write(path: string, init: RequestInit): Promise<Response> {
    const response = await this.ask(path, init)
    if (response.headers.has('x-service-change')) return response
    throw this.refusal(response, null)
  }

  refusal(response: Response, body: unknown): ApiError {
    return refusal(this.url, { response, body: isObject(body) ? body : {} }, this.#bearer.advice, this.clock.now())
  }

  #timeout({ timeoutMs = this.#options.timeoutMs ?? TIMEOUT_MS, bytes = 0 }: Attempt = {}): AbortSignal {
    return AbortSignal.timeout(Math.min(timeoutMs + Math.ceil(bytes / SLOWEST_UPLOAD), LONGEST_TIMEOUT_MS))
  }

  /** Waits for work that may not watch the signal, for example a sign-in for several calls. */
  async #inTime<T>(work: Promise<T>, signal?: AbortSignal | null): Promise<T> {
    if (!signal) return work
    try {
      return await untilAborted(work, signal)
    } catch (error) {
      throw signal.aborted ? lostAnswer(this.url, error) : error
    }
  }

  #fetch(request: Request): Promise<Response> {
    return this.#options.fetch === undefined ? fetch(request) : this.#options.fetch(request)
  }

  #graphqlError(error: unknown): unknown {
    if (error instanceof HoldfastError) return error
    if (!(error instanceof ClientError)) return this.refusal(new Response(null), null)
    const { status, headers, errors } = error.response
    return this.refusal(new Response(null, { status, headers: new Headers(headers) }), { errors })
  }

  #bearerOf({ token, credentials, bearer }: ConnectOptions): Bearer {
    const { now } = this.clock
    if (bearer !== undefined) return bearer
    if (credentials !== undefined) {
      const timed = (request: Request) => {
        const signal = AbortSignal.any([request.signal, this.#timeout()])
        return this.#inTime(this.#fetch(new Request(request, { signal })), signal)
      }
      const io = { fetch: timed, signal: this.#signal, now }
      return passwordBearer(this.url, credentials, io, NAMES)
    }
    if (typeof token !== 'function') return fixedBearer(token ?? '')
    return renewableBearer(() => this.#inTime(grantOf(token), this.#timeout()), now, { refused: '', forbidden: '' })
  }
}

async function grantOf(token: () => string | Promise<string>): Promise<Grant> {
  try {
    return { token: await token(), refreshToken: null, renewAt: null }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ApiError('UNAUTHENTICATED', `the function that gets the token failed: ${reason}`, { cause })
  }
}
