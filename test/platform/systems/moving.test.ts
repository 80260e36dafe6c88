import { beforeEach, describe, expect, it } from 'vitest'
import { INT8, TEXT } from '../../../src/db/columns.ts'
import { Datapoints } from '../../../src/platform/datapoints/datapoints.ts'
import { addSetpoints } from '../../../src/platform/setpoints/add-setpoints.ts'
import { createComponents } from '../../../src/platform/systems/components.ts'
import { createEvent, endEvent } from '../../../src/platform/systems/events.ts'
import { EVERYWHERE } from '../../../src/platform/systems/reach.ts'
import { updateSystem } from '../../../src/platform/systems/systems.ts'
import { SAMPLED_DATABASES } from '../../support/databases.ts'
import { applyAll, emptyDomain } from '../../support/domain.ts'
import { makeTwoOrganizations, type TwoOrganizations } from '../../support/two-organizations.ts'
import { notedChanges } from '../../support/noted-changes.ts'
import { runsOf } from '../../support/runs.ts'
import { context, database, useDomain } from '../../support/one-database.ts'

// What belongs to a system says of which unit that is, whatever becomes of the system.

const changes = () => notedChanges(database, 'events', 'setpoints')

/** What says of which unit it is, and is wrong. */
async function astray(): Promise<readonly string[]> {
  const found = await Promise.all(
    ['components', 'events', 'setpoints', 'series'].map((table) =>
      database.rows(
        { name: TEXT },
        `select '${table}' as name from ${table} t join systems s on s.domain_id = t.domain_id and s.uuid = t.system_uuid
         where t.domain_id = $1 and t.unit_uuid is distinct from s.unit_uuid`,
        [context.domain.id],
      ),
    ),
  )
  return found.flat().map(({ name }) => name)
}

describe.each(SAMPLED_DATABASES)('systems that move on $name', ({ openMigrated }) => {
  let datapoints: Datapoints
  let customers: TwoOrganizations
  useDomain({ openMigrated })
  beforeEach(async () => {
    await emptyDomain(context)
    datapoints = new Datapoints({ ...context, isAlone: true })
    customers = await makeTwoOrganizations(context, datapoints)
    return () => datapoints.close()
  })

  it('what belongs to a system moves with it, and is no news', async () => {
    const before = await changes()
    for (const organizationUnit of ['amber/west', 'basalt', null, 'amber']) {
      await updateSystem(context, EVERYWHERE, customers.amber.system, { organizationUnit })
      expect(await astray()).toStrictEqual([])
    }
    expect(await changes()).toStrictEqual(before)
    await endEvent(context, EVERYWHERE, customers.amber.alarm, null)
    expect(await changes()).not.toStrictEqual(before)
  })

  it('what belongs to a system whose unit is deleted belongs to nobody', async () => {
    const organizations = ['amber', 'basalt'].map((alias) => ({
      name: `The ${alias} company`,
      alias,
      organizationUnits: [],
    }))
    await applyAll(context, { organizations })
    const [rest] = await database.rows(
      { count: INT8 },
      `select count(*) as count from components where domain_id = $1 and unit_uuid is not null`,
      [context.domain.id],
    )
    expect([await astray(), rest?.count]).toStrictEqual([[], 0])
  })

  it('however it moves while something is made for it', async () => {
    const { system, component, point } = customers.amber
    const sender = { domainId: context.domain.id, actor: 'x', ...EVERYWHERE }
    const rounds = runsOf('MOVE_RUNS', { sample: 3, long: 10 })
    for (let round = 0; round < rounds; round++) {
      await database.statement(`delete from series where domain_id = $1`, [context.domain.id])
      await updateSystem(context, EVERYWHERE, system, { status: 'ACTIVATED' })
      await Promise.all([
        updateSystem(context, EVERYWHERE, system, { organizationUnit: round % 2 === 0 ? 'basalt' : 'amber/east' }),
        datapoints.ingest.add(sender, [point('temperature', round), point('note', 'x')]),
        createEvent(context, EVERYWHERE, { eventModel: 'restart', system }),
        addSetpoints(context, { ...EVERYWHERE, account: null, name: 'x' }, [point('target', round)]),
        createComponents(context, EVERYWHERE, [{ system, componentModel: 'boiler', name: `Part of ${component}` }]),
      ])
      expect(await astray()).toStrictEqual([])
    }
  })
})
