import type { Sql } from '../../db/sql.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { COMPONENT } from '../../records/entities/component.ts'
import { fetchEntities } from '../../store/entities.ts'
import { readDomain, writeData } from '../../store/domains.ts'
import { markSent } from '../../store/setpoints/answered-setpoints.ts'
import {
  fetchSetpoints,
  fetchUnacknowledged,
  type SetpointTarget,
  type StoredSetpoint,
} from '../../store/setpoints/setpoints.ts'
import type { DomainContext } from '../domain-context.ts'
import { EVERYWHERE, reaches, type Reach } from '../systems/reach.ts'
import { checkSetpoints, isProblem } from './check-setpoints.ts'
import { SETPOINT_LIMITS } from './setpoint-limits.ts'
import { toSetpoint, type Setpoint } from './setpoint.ts'

/** Resolves what a device asks about: existing components, or its whole system where it names none. */
export async function targetOfDevice(
  { database, domain }: DomainContext,
  actor: Reach,
  components: readonly string[],
): Promise<SetpointTarget> {
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
 * The setpoints that the device has not acknowledged yet and can carry out now. They become SENT. Setpoints that are
 * not acknowledged are given again, because the device may have crashed or lost the answer.
 */
export async function takePending(context: DomainContext, target: SetpointTarget): Promise<readonly Setpoint[]> {
  const { database, domain, changes } = context
  const now = context.now()
  const found = await readDomain(database, domain.id, (sql) => findPossible(sql, domain.id, target, now))
  if (found.every(({ state }) => state === 'SENT')) return found.map(toSetpoint)
  const uuids = found.map(({ uuid }) => uuid)
  const given = await writeData(database, domain.id, async (sql) => {
    await markSent(sql, domain.id, uuids, now)
    const marked = await fetchSetpoints(sql, domain.id, uuids, now)
    return marked.filter(
      (one) => one.state === 'SENT' && reaches({ systemUuid: target.system, units: target.units }, one),
    )
  })
  changes?.signal(domain.id, 'setpoints')
  return given.map(toSetpoint)
}

async function findPossible(
  sql: Sql,
  domainId: number,
  target: SetpointTarget,
  now: Date,
): Promise<readonly StoredSetpoint[]> {
  const first = SETPOINT_LIMITS.given
  const found: StoredSetpoint[] = []
  for (let offset = 0; found.length < first; offset += first) {
    const open = await fetchUnacknowledged(sql, domainId, target, { first, offset }, now)
    found.push(...(await withoutImpossible(sql, domainId, open)))
    if (open.length < first) break
  }
  return found.slice(0, first)
}

/**
 * Leaves out setpoints that the model does not allow any more, or whose parts are not ACTIVATED. They wait until they
 * are possible again.
 */
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
  return open.filter((_, index) => {
    const answer = answers[index]
    return answer !== undefined && !isProblem(answer)
  })
}
