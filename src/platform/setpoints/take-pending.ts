import type { Sql } from '../../db/sql.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { COMPONENT } from '../../records/entities/component.ts'
import { fetchEntities } from '../../store/entities.ts'
import { readDomain, writeData } from '../../store/domains.ts'
import { markSent } from '../../store/setpoints/setpoint-changes.ts'
import {
  fetchSetpoints,
  fetchUnacknowledged,
  type SetpointPlace,
  type StoredSetpoint,
} from '../../store/setpoints/setpoints.ts'
import type { DomainContext } from '../domain-context.ts'
import { EVERYWHERE, reaches, type Reach } from '../systems/reach.ts'
import { checkSetpoints, isProblem } from './check-setpoints.ts'
import { SETPOINT_LIMITS } from './setpoint-limits.ts'
import { toSetpoint, type Setpoint } from './setpoint.ts'

/** What a device asks about: components that exist, all of its system where it names none. */
export async function placeOfDevice(
  { database, domain }: DomainContext,
  actor: Reach,
  components: readonly string[],
): Promise<SetpointPlace> {
  const named = [...new Set(components)]
  if (named.length > SETPOINT_LIMITS.components) throw tooMany()
  if (named.length === 0 && actor.systemUuid !== null)
    return { system: actor.systemUuid, components: null, units: null }
  if (named.length === 0)
    throw new HoldfastError('BAD_USER_INPUT', 'say which components, each as component_uuid: no system is yours alone')
  const found = await readDomain(database, domain.id, (sql) => fetchEntities(sql, domain.id, COMPONENT, named))
  const allowed = found.filter((one) => reaches(actor, one)).map(({ uuid }) => uuid)
  const missing = named.find((uuid) => !allowed.includes(uuid))
  if (missing !== undefined) throw new HoldfastError('NOT_FOUND', `there is no component ${missing}`)
  return { system: actor.systemUuid, components: named, units: actor.units }
}

function tooMany(): HoldfastError {
  const most = SETPOINT_LIMITS.components.toLocaleString('en-US')
  return new HoldfastError('LIMIT_EXCEEDED', `at most ${most} components can be asked about at once`)
}

/**
 * What the device has not acknowledged yet, and can do as things are now; from here on it is SENT. Whatever it does not
 * acknowledge it is given again: it may have crashed, or never got the answer.
 */
export async function takePending(context: DomainContext, place: SetpointPlace): Promise<readonly Setpoint[]> {
  const { database, domain, changes } = context
  const now = context.now()
  const found = await readDomain(database, domain.id, (sql) => findPossible(sql, domain.id, place, now))
  if (found.every(({ state }) => state === 'SENT')) return found.map(toSetpoint)
  const uuids = found.map(({ uuid }) => uuid)
  const given = await writeData(database, domain.id, async (sql) => {
    await markSent(sql, domain.id, uuids, now)
    const marked = await fetchSetpoints(sql, domain.id, uuids, now)
    return marked.filter(
      (one) => one.state === 'SENT' && reaches({ systemUuid: place.system, units: place.units }, one),
    )
  })
  changes?.signal(domain.id, 'setpoints')
  return given.map(toSetpoint)
}

async function findPossible(
  sql: Sql,
  domainId: number,
  place: SetpointPlace,
  now: Date,
): Promise<readonly StoredSetpoint[]> {
  const first = SETPOINT_LIMITS.given
  const found: StoredSetpoint[] = []
  for (let offset = 0; found.length < first; offset += first) {
    const open = await fetchUnacknowledged(sql, domainId, place, { first, offset }, now)
    found.push(...(await withoutImpossible(sql, domainId, open)))
    if (open.length < first) break
  }
  return found.slice(0, first)
}

/** What the model does not allow any more, or something that is not ACTIVATED, waits until it is possible again. */
async function withoutImpossible(
  sql: Sql,
  domainId: number,
  open: readonly StoredSetpoint[],
): Promise<readonly StoredSetpoint[]> {
  if (open.length === 0) return open
  const given = open.map(({ systemUuid, componentUuid, serviceUuid, characteristicUuid, value }) => ({
    key: { system: systemUuid, component: componentUuid, service: serviceUuid, characteristic: characteristicUuid },
    value: JSON.parse(value) as unknown,
  }))
  const answers = await checkSetpoints(sql, domainId, EVERYWHERE, given)
  return open.filter((_, place) => {
    const answer = answers[place]
    return answer !== undefined && !isProblem(answer)
  })
}
