import type { DeletionKind } from '../../../generated/entities.ts'
import { digestOf } from '../../lib/digest.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { COMPONENT, EVENT } from '../../records/entities.ts'
import { endAll, endingsOf } from '../../store/access/ended-identities.ts'
import {
  countBehind,
  deleteDataOf,
  deleteEmptySystem,
  deleteSomeDataOf,
  deleteStoredEvent,
  fetchDevicesOf,
  fetchSeriesOf,
  fetchStateOf,
  type Whole,
} from '../../store/deletions.ts'
import { raiseAccessVersion } from '../../store/domains.ts'
import { fetchEntities } from '../../store/entities.ts'
import { raiseModelVersion } from '../../store/model/model-versions.ts'
import { requireSystemOf } from '../systems/entity-references.ts'
import { reaches } from '../systems/reach.ts'
import { NOTHING, type Deleting, type DeletionTarget, type Found, type Moment, type Wanted } from './deletion-target.ts'

type Thing = Extract<Wanted, { uuid: string }>

/** A system is deleted with its components, their data, and the accounts of its devices. */
const SYSTEM_TARGET: DeletionTarget<Thing> = {
  async find(deleting, { uuid }, moment) {
    const { sql, context, actor } = deleting
    const { name, status } = await requireSystemOf(sql, context.domain.id, actor, uuid)
    requireArchived('system', uuid, status)
    const replaced = (await fetchDevicesOf(sql, context.domain.id, uuid)).find(({ username }) => username !== null)
    // Without its system, the account could use the data of all systems.
    if (replaced !== undefined)
      throw new HoldfastError(
        'CONFLICT',
        `the system ${uuid} belongs to the machine user ${replaced.username} of the model; delete that machine user first`,
      )
    return findWhole(deleting, 'system', { uuid, name, systemUuid: uuid }, moment)
  },

  removeSome: ({ sql, context: { domain } }, { uuid }) => deleteSomeDataOf(sql, domain.id, 'system', uuid),

  async remove({ sql, context: { domain } }, { described: { subject } }) {
    const uuid = subject ?? ''
    const devices = await fetchDevicesOf(sql, domain.id, uuid)
    await deleteDataOf(sql, domain.id, 'system', uuid)
    await deleteEmptySystem(sql, domain.id, uuid)
    // This waits for flushes, so it comes before the locks that sign-outs wait for.
    await raiseModelVersion(sql, domain.id, 'deletion')
    const accounts = devices.map((device) => device.uuid)
    await endAll(sql, domain.id, endingsOf(accounts, 'for good'))
    if (devices.length > 0) await raiseAccessVersion(sql, domain.id)
  },
}

const COMPONENT_TARGET: DeletionTarget<Thing> = {
  async find(deleting, { uuid }, moment) {
    const { sql, context, actor } = deleting
    const [component] = await fetchEntities(sql, context.domain.id, COMPONENT, [uuid])
    if (component === undefined || !reaches(actor, component)) throw unknown('component', uuid)
    const { name, status, systemUuid } = component
    requireArchived('component', uuid, status)
    return findWhole(deleting, 'component', { uuid, name, systemUuid }, moment)
  },

  removeSome: ({ sql, context: { domain } }, { uuid }) => deleteSomeDataOf(sql, domain.id, 'component', uuid),

  async remove({ sql, context: { domain } }, { described: { subject } }) {
    await deleteDataOf(sql, domain.id, 'component', subject ?? '')
    await raiseModelVersion(sql, domain.id, 'deletion')
  },
}

const EVENT_TARGET: DeletionTarget<Thing> = {
  async find({ sql, context: { domain }, actor }, { uuid }) {
    const [event] = await fetchEntities(sql, domain.id, EVENT, [uuid])
    if (event === undefined || !reaches(actor, event)) throw unknown('event', uuid)
    return {
      described: { subject: uuid, name: event.eventModel, series: null, from: null, to: null },
      counts: { ...NOTHING, events: 1 },
      seriesIds: [],
      state: digestOf(JSON.stringify(event)),
      needsFence: false,
    }
  },

  remove: ({ sql, context: { domain } }, { described: { subject } }) =>
    deleteStoredEvent(sql, domain.id, subject ?? ''),
}

interface Named {
  readonly uuid: string
  readonly name: string
  readonly systemUuid: string
}

async function findWhole(
  { sql, context: { domain } }: Deleting,
  whole: Whole,
  { uuid, name, systemUuid }: Named,
  moment: Moment | null,
): Promise<Found> {
  return {
    described: { subject: uuid, name, series: null, from: null, to: null },
    // The deletion has the counts of its preview.
    counts: moment === null ? await countBehind(sql, domain.id, whole, uuid) : NOTHING,
    seriesIds: moment === null ? await fetchSeriesOf(sql, domain.id, whole, uuid) : [],
    state: await fetchStateOf(sql, domain.id, whole, systemUuid),
    needsFence: false,
  }
}

function requireArchived(what: string, uuid: string, status: string): void {
  if (status === 'ARCHIVED') return
  throw new HoldfastError(
    'CONFLICT',
    `the ${what} ${uuid} is ${status}; set its status to ARCHIVED before you delete it`,
  )
}

function unknown(what: string, uuid: string): HoldfastError {
  return new HoldfastError('NOT_FOUND', `there is no ${what} ${uuid}`)
}

/** The targets that are named by a uuid. */
export const THINGS: { readonly [kind in Exclude<DeletionKind, 'DATAPOINTS'>]: DeletionTarget<Thing> } = {
  SYSTEM: SYSTEM_TARGET,
  COMPONENT: COMPONENT_TARGET,
  EVENT: EVENT_TARGET,
}
