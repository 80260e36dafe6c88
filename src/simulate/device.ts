import { connect, type ConnectOptions, type Holdfast } from '../api-client/index.ts'
import { passwordBearer } from '../client/password-bearer.ts'
import { HoldfastError } from '../lib/errors.ts'
import { stableUuid } from '../lib/uuid.ts'
import type { Io } from '../shell/io.ts'
import { DOCUMENTS } from './documents.ts'
import type { SimulatedOn } from './platform.ts'
import type { Occurrence } from './site/occurrences.ts'

/** The computer in a plant room. It has an account that is bound to its system. */
export interface Device {
  readonly holdfast: Holdfast
  /** Revokes the account of the device. */
  retire(): Promise<unknown>
}

/** Makes an account for a system. Its requests are repeated until the platform answers, so that no data is lost. */
export async function makeDevice(
  platform: SimulatedOn,
  systemUuid: string,
  io: Io,
  onChange: (reason: Error | null) => void,
): Promise<Device> {
  const { url, client, holdfast, options } = platform
  const persistent: ConnectOptions = { ...options, retry: { totalMs: Infinity, onChange } }
  if (client === null) return { holdfast: connect(persistent), retire: () => Promise.resolve() }
  const made = (await holdfast.mutate(DOCUMENTS.CreateCredential, { system: systemUuid })).createSystemCredential
  const { uuid, username, password } = made
  const names = { client: 'the application consumer of this command', user: `the credential ${username} of the system` }
  const bearer = passwordBearer(url, { ...client, username, password }, io, names)
  return {
    holdfast: connect({ ...persistent, bearer }),
    retire: () => holdfast.mutate(DOCUMENTS.RevokeCredential, { uuid }),
  }
}

/** Sends an event. An event that exists with another time, or that was ended by someone else, is not sent again. */
export async function tellOccurrence(
  { holdfast }: Device,
  systemUuid: string,
  { model, from, to, isSinglePoint }: Occurrence,
  component: string,
): Promise<void> {
  const uuid = stableUuid(systemUuid, model, component, String(from))
  const at = new Date(to ?? from).toISOString()
  try {
    // Both mutations may run twice, because the uuid identifies the event.
    if (to === null || isSinglePoint)
      await holdfast.query(DOCUMENTS.CreateEvent, { input: { uuid, eventModel: model, component, at } })
    else await holdfast.query(DOCUMENTS.EndEvent, { uuid, at })
  } catch (error) {
    if (error instanceof HoldfastError && (error.code === 'CONFLICT' || error.code === 'NOT_FOUND')) return
    throw error
  }
}
