import { describe, expect, it } from 'vitest'
import { updateRecord } from '../../../src/platform/records/change-record.ts'
import { listSupport } from '../../../src/platform/systems/components.ts'
import { updateSystem } from '../../../src/platform/systems/systems.ts'
import { EVERYWHERE } from '../../../src/platform/systems/reach.ts'
import { SAMPLED_DATABASES } from '../../support/databases.ts'
import { applyAll } from '../../support/domain.ts'
import { countingDatabase } from '../../support/counting-database.ts'
import { storedRecord } from '../../support/plan-parts.ts'
import { oneDomain } from '../one-domain.ts'
import { makeSite, MODEL } from './site.ts'

describe.each(SAMPLED_DATABASES)('what a component supports on $name', (kind) => {
  const domain = oneDomain(kind)

  it('is exactly what its model links, in the order of the services in the model', async () => {
    const { pump, sensor, system } = await makeSite(domain())
    const support = await listSupport(domain(), [pump.uuid, sensor.uuid, crypto.randomUUID()])
    expect(support).toHaveLength(2)
    const of = (uuid: string) => support.find(({ componentUuid }) => componentUuid === uuid)
    const names = (uuid: string) => of(uuid)?.pairs.map((pair) => `${pair.serviceKey}/${pair.characteristicKey}`)
    expect(names(pump.uuid)).toEqual(['climate/temperature', 'climate/valve', 'metering/power', 'metering/temperature'])
    expect(names(sensor.uuid)).toEqual(['climate/temperature', 'climate/valve'])
    const [service, characteristic] = [
      await storedRecord(domain(), 'services', 'climate'),
      await storedRecord(domain(), 'characteristics', 'temperature'),
    ]
    expect(of(sensor.uuid)).toMatchObject({ systemUuid: system.uuid, componentStatus: 'ACTIVATED' })
    expect(of(sensor.uuid)?.pairs[0]).toMatchObject({
      serviceUuid: service.uuid,
      serviceStatus: 'ACTIVATED',
      characteristicUuid: characteristic.uuid,
      characteristicBody: characteristic.body,
    })
  })

  it('follows links, statuses and definitions', async () => {
    const { pump, system } = await makeSite(domain())
    await updateSystem(domain(), EVERYWHERE, system.uuid, { status: 'DEACTIVATED' })
    await updateRecord(domain(), 'services', 'metering', { status: 'ARCHIVED' }, [])
    await updateRecord(domain(), 'characteristics', 'power', { symbol: 'kW' }, [])
    const [climate] = MODEL.services
    await applyAll(domain(), { services: [{ ...climate, characteristics: [] }, MODEL.services[1]] })
    const [support] = await listSupport(domain(), [pump.uuid])
    expect(support).toMatchObject({ systemStatus: 'DEACTIVATED', modelStatus: 'ACTIVATED' })
    expect(support?.pairs.map(({ serviceKey }) => serviceKey)).toEqual(['metering', 'metering'])
  })

  it('is asked for in two statements, however many components there are', async () => {
    const { pump, sensor } = await makeSite(domain())
    const database = countingDatabase(domain().database)
    await listSupport({ ...domain(), database }, [pump.uuid, sensor.uuid])
    expect(
      database.statements.filter((text) => text.startsWith('select c.uuid') || text.startsWith('select model.uuid')),
    ).toHaveLength(2)
  })
})
