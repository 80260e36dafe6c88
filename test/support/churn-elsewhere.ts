import { Datapoints } from '../../src/platform/datapoints/datapoints.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { createRecord, updateRecord } from '../../src/platform/records/change-record.ts'
import { setSetpoints } from '../../src/platform/setpoints/set-setpoints.ts'
import { createComponents } from '../../src/platform/systems/components.ts'
import { createSystemCredential } from '../../src/platform/systems/credentials.ts'
import { createEvent } from '../../src/platform/systems/events.ts'
import { createSystem } from '../../src/platform/systems/systems.ts'
import { ACCESS } from '../../src/records/record-type.ts'
import { ANYBODY } from '../platform/setpoints/support.ts'
import type { TwoOrganizations } from './two-organizations.ts'

/** Makes every kind of change in `basalt` and in the system of nobody, and grants in `amber` that concern others. */
export async function churnElsewhere(context: DomainContext, { basalt, nobody }: TwoOrganizations): Promise<void> {
  await createRecord(context, 'organizations', { name: 'Basalt and sons', alias: 'sons' }, [])
  await createRecord(context, 'users', { email: 'bob@basalt.example', organization: { alias: 'basalt' } }, [])
  await updateRecord(context, 'users', 'ben@basalt.example', { name: 'Ben of basalt' }, [])
  const grants = [
    { user: 'ben@basalt.example', within: 'amber' },
    { organization: 'basalt', within: 'amber/east' },
    { everyone: 'users', withinOwnOrganization: true },
  ]
  for (const grant of grants) await createRecord(context, ACCESS, { role: 'viewer', ...grant }, [])
  await createSystemCredential(context, basalt.system)
  const { uuid: system } = await createSystem(context, ANYBODY, { name: 'House of basalt', organizationUnit: 'basalt' })
  await createComponents(context, ANYBODY, [{ system, componentModel: 'boiler', name: 'Boiler of basalt' }])
  const datapoints = new Datapoints({ ...context, isAlone: false })
  const sender = { domainId: context.domain.id, ...ANYBODY, actor: 'tester' }
  for (const { component, point } of [basalt, nobody]) {
    await createEvent(context, ANYBODY, { eventModel: 'alarm', component, message: 'hot in basalt' })
    const setting = { component, service: 'heating', characteristic: 'target', value: 77_777 }
    await setSetpoints(context, ANYBODY, { components: [setting], models: [] })
    const refused = { ...point('temperature', 1), component_uuid: crypto.randomUUID() }
    for (const one of [point('temperature', 77_779), point('note', 'of basalt'), point('note', 5), refused])
      await datapoints.ingest.add(sender, [one])
  }
  await datapoints.close()
}
