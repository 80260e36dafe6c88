import type { Sql } from '../../db/sql.ts'
import { HoldfastError } from '../../lib/errors.ts'
import type { RecordBody } from '../../records/record-type.ts'
import { fetchSupport } from '../../store/systems/component-support.ts'
import type { StoredEvent } from '../../store/systems/events.ts'
import { atField } from './input-problems.ts'
import { reaches, type Reach } from './reach.ts'
import { requireSystemOf } from './entity-references.ts'

type EventSubject = Pick<StoredEvent, 'systemUuid' | 'componentUuid'>

interface GivenSubject {
  readonly systemUuid?: string | null
  readonly componentUuid?: string | null
}

const TO_NAME = {
  component: 'name the component, with its system or without',
  system: 'name the system, and no component',
} as const

/** Resolves the system or component of an event. It must be ACTIVATED with its records, and a prototype if required. */
export async function subjectOf(
  sql: Sql,
  domainId: number,
  actor: Reach,
  model: RecordBody,
  { systemUuid, componentUuid }: GivenSubject,
): Promise<EventSubject> {
  const wanted = model['entityType'] === 'COMPONENT' ? 'component' : 'system'
  const given = wanted === 'component' ? componentUuid : systemUuid
  if (given == null || (wanted === 'system' && componentUuid != null))
    throw wrong(`events of this model happen to a ${wanted}; ${TO_NAME[wanted]}`)
  const subject =
    wanted === 'component'
      ? await subjectOfComponent(sql, domainId, actor, model, given)
      : await subjectOfSystem(sql, domainId, actor, model, given)
  if (systemUuid == null || systemUuid === subject.systemUuid) return subject
  throw wrong(`the component ${given} is not part of the system ${systemUuid}`)
}

async function subjectOfSystem(
  sql: Sql,
  domainId: number,
  actor: Reach,
  model: RecordBody,
  uuid: string,
): Promise<EventSubject> {
  const system = await requireSystemOf(sql, domainId, actor, uuid)
  requireActivated(`the system ${uuid}`, system.status)
  requirePrototype(`the system ${uuid}`, model, system.isPrototype)
  return { systemUuid: uuid, componentUuid: null }
}

async function subjectOfComponent(
  sql: Sql,
  domainId: number,
  actor: Reach,
  model: RecordBody,
  uuid: string,
): Promise<EventSubject> {
  const [component] = await fetchSupport(sql, domainId, [uuid])
  if (component === undefined || !reaches(actor, component))
    throw new HoldfastError('NOT_FOUND', `there is no component ${uuid}`)
  requireActivated(`the component ${uuid}`, component.componentStatus)
  requireActivated(`the system of the component ${uuid}`, component.systemStatus)
  requireActivated(`the model of the component ${uuid}`, component.modelStatus)
  requirePrototype(`the component ${uuid}`, model, component.isPrototype)
  return { systemUuid: component.systemUuid, componentUuid: uuid }
}

function requireActivated(what: string, status: string): void {
  if (status !== 'ACTIVATED')
    throw new HoldfastError('CONFLICT', `${what} is ${status}; it must be ACTIVATED to have new events`)
}

function requirePrototype(what: string, { code, limitToPrototypes }: RecordBody, isPrototype: boolean): void {
  if (limitToPrototypes !== true || isPrototype) return
  const message = `${what} is no prototype, and only prototypes report events of the model ${JSON.stringify(code)} (limitToPrototypes); make it one by isPrototype, or change the model`
  throw new HoldfastError('CONFLICT', message)
}

function wrong(message: string): HoldfastError {
  return atField(new HoldfastError('BAD_USER_INPUT', message), 'component')
}
