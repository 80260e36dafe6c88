import { HoldfastError } from '../lib/errors.ts'
import { isObject } from '../lib/json.ts'
import type { Device } from './device.ts'
import type { LiveSite } from './live-site.ts'
import type { Patience } from './patience.ts'
import type { Series } from './site/series.ts'

interface Pending {
  readonly uuid: string
  readonly component: string
  readonly service: string
  readonly characteristic: string
  readonly value: unknown
}

export interface ReceiveOptions {
  readonly live: LiveSite
  /** Whether the account is bound to the system, so that the request need not name it. */
  readonly isBound: boolean
  readonly device: Device
  readonly patience: Patience
  readonly series: () => readonly Series[]
  readonly now: () => number
  readonly signal: AbortSignal
  readonly onSet: (message: string) => void
}

const WAIT_SECONDS = 25

/** Waits for setpoints, carries them out and acknowledges them, until it is interrupted. */
export async function receiveSetpoints(options: ReceiveOptions): Promise<void> {
  const { patience, signal } = options
  const path = pathOf(options)
  while (!signal.aborted) {
    const pending = await patience.persist(() => fetchPending(options, path))
    for (const one of pending ?? []) await patience.persist(() => obey(one, options))
  }
}

function pathOf({ live, isBound }: ReceiveOptions): string {
  const query = new URLSearchParams({ wait: String(WAIT_SECONDS) })
  if (!isBound) for (const uuid of live.components.keys()) query.append('component_uuid', uuid)
  return `rest/v1/set-points/pending?${query.toString()}`
}

async function fetchPending({ device, signal }: ReceiveOptions, path: string): Promise<readonly Pending[]> {
  const response = await device.get(path, signal)
  const body: unknown = response.ok ? await response.json().catch(() => null) : null
  if (!Array.isArray(body)) throw new HoldfastError('CONFLICT', `the platform gives none (status ${response.status})`)
  return body.filter(isObject).map((one) => ({
    uuid: String(one['uuid']),
    component: String(one['component_uuid']),
    service: String(one['service_uuid']),
    characteristic: String(one['characteristic_uuid']),
    value: one['value'],
  }))
}

async function obey(pending: Pending, options: ReceiveOptions): Promise<boolean> {
  const { live, device, now, onSet } = options
  const series = options.series().find(({ supported: { uuids } }) => {
    const isThere = uuids.component === pending.component && uuids.service === pending.service
    return isThere && uuids.characteristic === pending.characteristic
  })
  if (series === undefined) return answer(device, pending, 'REJECTED', 'this device has no such setting')
  const { component, characteristic } = series.supported
  const refusal = live.site.settings.refusalOf(component.id, characteristic, pending.value)
  if (refusal !== null) return answer(device, pending, 'REJECTED', refusal)
  await answer(device, pending, 'ACKNOWLEDGED')
  live.site.settings.set(component.id, characteristic, pending.value)
  const point = series.reportSet(pending.value, now())
  if (point !== null) await device.send(`[${point}]`, 1)
  onSet(`${live.plan.name}: ${component.name} has ${characteristic} set to ${JSON.stringify(pending.value)}`)
  return answer(device, pending, 'APPLIED')
}

/** Acknowledges a setpoint. One that was superseded in the meantime takes no answer, and needs none. */
async function answer(device: Device, { uuid }: Pending, state: string, reason?: string): Promise<boolean> {
  const response = await device.post('rest/v1/set-points/acknowledge', [{ uuid, state, ...(reason && { reason }) }])
  await response.body?.cancel()
  return response.ok
}
