import { sendWith, type Bearer } from '../client/bearer.ts'
import { graphqlClient } from '../client/graphql-client.ts'
import { LostAnswerError } from '../client/platform-error.ts'
import { refusedRequest } from '../client/refused-request.ts'
import { passwordBearer } from '../client/sign-in.ts'
import { isBusy } from '../client/strange-answer.ts'
import { HoldfastError } from '../lib/errors.ts'
import { stableUuid } from '../lib/uuid.ts'
import type { Io } from '../shell/io.ts'
import {
  CREATE_CREDENTIAL,
  CREATE_EVENT,
  END_EVENT,
  REVOKE_CREDENTIAL,
  type CredentialAnswer,
} from './graphql-queries.ts'
import { BusyError } from './patience.ts'
import type { SimulatedOn } from './platform.ts'
import type { Occurrence } from './site/occurrences.ts'

/** The computer in a plant room. It has an account that is bound to its system. */
export interface Device {
  /** Sends `count` datapoints, given as a JSON array. */
  send(body: string, count: number): Promise<Delivery>
  tell(occurrence: Occurrence, component: string): Promise<void>
  get(path: string, signal: AbortSignal): Promise<Response>
  post(path: string, body: unknown): Promise<Response>
  /** Revokes its account. */
  retire(): Promise<unknown>
}

export interface Delivery {
  /** The number of datapoints that were stored. */
  readonly stored: number
  /** The reason of the first refused datapoint; null if all were stored. */
  readonly refusal: string | null
}

export async function makeDevice(platform: SimulatedOn, systemUuid: string, io: Io): Promise<Device> {
  const { url, request, client } = platform
  if (client === null) return deviceOn(url, platform.bearer, systemUuid, io, () => Promise.resolve())
  const made = (await request<CredentialAnswer>(CREATE_CREDENTIAL, { system: systemUuid })).createSystemCredential
  const { uuid, username, password } = made
  const names = { client: 'the application consumer of this command', user: `the credential ${username} of the system` }
  const bearer = passwordBearer(url, { ...client, username, password }, io, names)
  return deviceOn(url, bearer, systemUuid, io, () => request(REVOKE_CREDENTIAL, { uuid }))
}

function deviceOn(url: string, bearer: Bearer, systemUuid: string, io: Io, retire: Device['retire']): Device {
  const graphql = graphqlClient({ url, bearer, ...io })
  const sendTo = (path: string, init: RequestInit) => sendRequest(new URL(path, url), bearer, init, io)
  const post = (path: string, body: string, headers: { readonly [name: string]: string } = {}) =>
    sendTo(path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })
  return {
    retire,
    async send(text, count) {
      // Datapoints that the model does not allow any more must not hold up the others.
      const response = await post('rest/v1/data-points/add', text, { prefer: 'handling=lenient' })
      if (response.ok && response.status !== 207) return { stored: count, refusal: null }
      const body = (await response.json().catch(() => ({}))) as { readonly [key: string]: unknown }
      if (!response.ok) throw refusedRequest(url, { response, body }, bearer.advice, io.now())
      const { stored, errors } = body as { readonly stored: number; readonly errors: readonly { detail: string }[] }
      return { stored, refusal: errors[0]?.detail ?? 'without a reason' }
    },
    async tell({ model, from, to, isSinglePoint }, component) {
      const uuid = stableUuid(systemUuid, model, component, String(from))
      const at = new Date(to ?? from).toISOString()
      await told(() =>
        to === null || isSinglePoint
          ? graphql(CREATE_EVENT, { input: { uuid, eventModel: model, component, at } })
          : graphql(END_EVENT, { uuid, at }),
      )
    },
    get: (path, signal) => sendTo(path, { signal }),
    post: (path, body) => post(path, JSON.stringify(body)),
  }
}

async function sendRequest(url: URL, bearer: Bearer, init: RequestInit, io: Io): Promise<Response> {
  const signal = init.signal ?? io.signal
  const response = await sendWith(bearer, async (token) => {
    const headers = { ...init.headers, authorization: `Bearer ${token}` }
    try {
      return await io.fetch(new Request(url, { ...init, headers, redirect: 'manual', signal }))
    } catch (error) {
      throw signal.aborted ? error : new LostAnswerError(url.origin, error)
    }
  })
  if (!isBusy(response)) return response
  await response.body?.cancel()
  throw new BusyError(response)
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
