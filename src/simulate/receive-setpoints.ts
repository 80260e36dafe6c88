import type { AnswerState, PendingSetpoint } from '../api-client/index.ts'
import { ApiError } from '../api-client/index.ts'
import type { Sender } from './send-site.ts'

/** Waits for setpoints, applies and answers them until the simulation is stopped. */
export async function receiveSetpoints(sender: Sender): Promise<void> {
  const { device, platform, live } = sender
  // The account of a device is bound to a system, so its request need not name the components.
  const components = platform.client === null ? [...live.components.keys()] : []
  const taken = device.holdfast.takeSetpoints({ components, signal: platform.stop.signal })
  for await (const pending of taken) await obey(pending, sender)
}

async function obey(pending: PendingSetpoint, { live, device, now, telling }: Sender): Promise<void> {
  const { site, series } = live
  const { uuid, value } = pending
  const answer = async (state: AnswerState, reason?: string) => {
    try {
      await device.holdfast.answerSetpoints([{ uuid, state, reason }])
    } catch (error) {
      // The setpoint has been superseded meanwhile.
      if (!(error instanceof ApiError && error.code === 'CONFLICT')) throw error
    }
  }
  const found = series.find(
    ({ supported: { uuid: component, path } }) => component === pending.component && path === pending.path,
  )
  if (found === undefined) return answer('REJECTED', 'this device has no such setting')
  const { component, characteristic } = found.supported
  const refusal = site.settings.refusalOf(component.id, characteristic, value)
  if (refusal !== null) return answer('REJECTED', refusal)
  await answer('ACKNOWLEDGED')
  site.settings.set(component.id, characteristic, value)
  const point = found.reportSet(value, now())
  if (point !== null) await device.holdfast.send([point], { lenient: true })
  telling.say(`${site.plan.name}: ${component.name} has ${characteristic} set to ${JSON.stringify(value)}`)
  return answer('APPLIED')
}
