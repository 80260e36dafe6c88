import { sendWith, type Bearer } from '../client/bearer.ts'
import { graphqlClient } from '../client/graphql-client.ts'
import { HoldfastError } from '../lib/errors.ts'
import type { Io } from '../shell/io.ts'
import { LostAnswerError } from '../client/platform-error.ts'
import { refusedRequest } from '../client/refused-request.ts'
import { passwordBearer } from '../client/sign-in.ts'
import {
  CREATE_CREDENTIAL,
  CREATE_EVENT,
  END_EVENT,
  REVOKE_CREDENTIAL,
  type CredentialAnswer,
} from './graphql-queries.ts'
import { refuseBusy } from './patience.ts'
import type { SimulatedOn } from './platform.ts'
import type { Occurrence } from './site/occurrences.ts'
import { stableUuid } from '../lib/uuid.ts'

/** The computer in a plant room. It has an account that is bound to its system. */
export interface Device {
  /**
   * Sends datapoints, given as a JSON array. The result is the number that were stored and why the others were not.
   */
  send(body: string, count: number): Promise<Delivery>
  tell(occurrence: Occurrence, component: string): Promise<void>
  get(path: string, signal: AbortSignal): Promise<Response>
  post(path: string, body: unknown): Promise<Response>
  /** Revokes its account. */
  retire(): Promise<void>
}

export interface Delivery {
  readonly stored: number
  /** The reason of the first refused datapoint; null where all were stored. */
  readonly refusal: string | null
}

export async function makeDevice(platform: SimulatedOn, systemUuid: string, io: Io): Promise<Device> {
  const { url, request, client } = platform
  if (client === null) return deviceOn(url, platform.bearer, systemUuid, io, () => Promise.resolve())
  const made = (await request<CredentialAnswer>(CREATE_CREDENTIAL, { system: systemUuid })).createSystemCredential
  const { uuid, username, password } = made
  const names = { client: 'the application consumer of this command', user: `the credential ${username} of the system` }
  const bearer = passwordBearer(url, { ...client, username, password }, io, names)
  return deviceOn(url, bearer, systemUuid, io, async () => void (await request(REVOKE_CREDENTIAL, { uuid })))
}

function deviceOn(url: string, bearer: Bearer, systemUuid: string, io: Io, retire: () => Promise<void>): Device {
  const graphql = graphqlClient({ url, bearer, ...io })
  const sendTo = (path: string, init: RequestInit) => sendRequest(new URL(path, url), bearer, init, io)
  return {
    retire,
    async send(body, count) {
      const strict = await sendTo(DATA_POINTS, batch(body))
      if (strict.ok) return { stored: count, refusal: null }
      if (strict.status !== 422) return refuse(url, bearer, strict, io)
      // Datapoints that the model does not allow any more must not hold up the others, so the batch is sent again
      // without `strict`.
      void strict.body?.cancel()
      const lenient = await sendTo(DATA_POINTS, batch(body, { prefer: 'handling=lenient' }))
      if (!lenient.ok) return refuse(url, bearer, lenient, io)
      return deliveryOf(await lenient.json())
    },
    async tell(occurrence, component) {
      const { model, from, to, isSinglePoint } = occurrence
      const uuid = stableUuid(systemUuid, model, component, String(from))
      if (to === null || isSinglePoint)
        await told(() => graphql(CREATE_EVENT, { input: { uuid, eventModel: model, component, at: instant(from) } }))
      else await told(() => graphql(END_EVENT, { uuid, at: instant(to) }))
    },
    get: (path, signal) => sendTo(path, { signal }),
    post: (path, body) => sendTo(path, { method: 'POST', headers: JSON_BODY, body: JSON.stringify(body) }),
  }
}

function instant(time: number): string {
  return new Date(time).toISOString()
}

const DATA_POINTS = 'rest/v1/data-points/add'
const JSON_BODY = { 'content-type': 'application/json' }

function batch(body: string, headers: { readonly [name: string]: string } = {}): RequestInit {
  return { method: 'POST', headers: { ...JSON_BODY, ...headers }, body }
}

async function sendRequest(url: URL, bearer: Bearer, init: RequestInit, io: Io): Promise<Response> {
  const signal = init.signal ?? io.signal
  const response = await sendWith(bearer, async (token) => {
    const headers = { ...init.headers, authorization: `Bearer ${token}` }
    const request = new Request(url, { ...init, headers, redirect: 'manual', signal })
    try {
      return await io.fetch(request)
    } catch (error) {
      throw signal.aborted ? error : new LostAnswerError(url.origin, error)
    }
  })
  refuseBusy(response, io.now())
  return response
}

async function refuse(url: string, bearer: Bearer, response: Response, io: Io): Promise<never> {
  const body = (await response.json().catch(() => ({}))) as { readonly [key: string]: unknown }
  throw refusedRequest(url, { response, body }, bearer.advice, io.now())
}

function deliveryOf(body: unknown): Delivery {
  const { stored, errors } = body as {
    readonly stored: number
    readonly errors: readonly { readonly detail: string }[]
  }
  return { stored, refusal: errors[0]?.detail ?? 'without a reason' }
}

/** Sends an event. An event that exists with another time, or that was ended by someone else, is not sent again. */
async function told(send: () => Promise<unknown>): Promise<void> {
  try {
    await send()
  } catch (error) {
    if (error instanceof HoldfastError && (error.code === 'CONFLICT' || error.code === 'NOT_FOUND')) return
    throw error
  }
}
