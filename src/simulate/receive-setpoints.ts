import { HoldfastError } from '../lib/errors.ts'
import { isObject } from '../lib/json.ts'
import type { Device } from './device.ts'
import type { Sender } from './send-site.ts'

type Pending = { readonly [field: string]: unknown }

const WAIT_SECONDS = '25'

/** Waits for setpoints, applies and acknowledges them until it is interrupted. */
export async function receiveSetpoints(sender: Sender, signal: AbortSignal): Promise<void> {
  const { patience, device, platform, live } = sender
  const query = new URLSearchParams({ wait: WAIT_SECONDS })
  // The account of a device is bound to a system, so its request need not name the components.
  if (platform.client === null) for (const uuid of live.components.keys()) query.append('component_uuid', uuid)
  while (!signal.aborted) {
    const pending = await patience.persist(() => fetchPending(device, query, signal))
    for (const one of pending ?? []) await patience.persist(() => obey(one, sender))
  }
}

async function fetchPending(device: Device, query: URLSearchParams, signal: AbortSignal): Promise<readonly Pending[]> {
  const response = await device.get(`rest/v1/set-points/pending?${query.toString()}`, signal)
  const body: unknown = response.ok ? await response.json().catch(() => null) : null
  if (!Array.isArray(body)) throw new HoldfastError('CONFLICT', `the platform gives none (status ${response.status})`)
  return body.filter(isObject)
}

async function obey(pending: Pending, { live, device, now, telling }: Sender): Promise<void> {
  const { site, series } = live
  const { component_uuid: ofComponent, service_uuid: ofService, characteristic_uuid: ofCharacteristic, value } = pending
  const answer = (state: string, reason?: string) => acknowledge(device, { uuid: pending['uuid'], state, reason })
  const found = series.find(({ supported: { uuids } }) => {
    const isThere = uuids.component === ofComponent && uuids.service === ofService
    return isThere && uuids.characteristic === ofCharacteristic
  })
  if (found === undefined) return answer('REJECTED', 'this device has no such setting')
  const { component, characteristic } = found.supported
  const refusal = site.settings.refusalOf(component.id, characteristic, value)
  if (refusal !== null) return answer('REJECTED', refusal)
  await answer('ACKNOWLEDGED')
  site.settings.set(component.id, characteristic, value)
  const point = found.reportSet(value, now())
  if (point !== null) await device.send(`[${point}]`, 1)
  telling.say(`${site.plan.name}: ${component.name} has ${characteristic} set to ${JSON.stringify(value)}`)
  return answer('APPLIED')
}

/**
 * Acknowledges a setpoint. If the setpoint has been superseded meanwhile, the platform rejects the answer, which is not
 * an error.
 */
async function acknowledge(device: Device, answer: object): Promise<void> {
  const response = await device.post('rest/v1/set-points/acknowledge', [answer])
  await response.body?.cancel()
}
