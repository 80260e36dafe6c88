import type { SetpointState } from '../../../generated/entities.ts'
import { ANSWERS, isKnownAnswer, NEXT_STATES, type SetpointAnswer } from '../../datapoints/setpoint-state.ts'
import { describe, type ViolationCode } from '../../records/values/violation.ts'
import { uuidText } from '../../datapoints/wire/wire.ts'
import { textProblem } from '../../documents/checks/text-checks.ts'
import { isObject } from '../../lib/json.ts'
import { lockSetpoints, saveAnswers, type AnsweredSetpoint } from '../../store/setpoints/answered-setpoints.ts'
import { BatchErrors } from '../datapoints/ingest/batch-error.ts'
import type { IngestOptions, IngestResult } from '../datapoints/ingest/sent-batch.ts'
import { changeData } from '../change-domain.ts'
import type { DomainContext } from '../domain-context.ts'
import { reaches, type Reach } from '../systems/reach.ts'
import { setpointCursor } from '../service-change.ts'
import { SETPOINT_LIMITS } from './setpoint.ts'

/** Records a device's answers to setpoints: all or nothing, unless `lenient`. A repeated answer changes nothing. */
export async function answerSetpoints(
  context: DomainContext,
  actor: Reach,
  elements: readonly unknown[],
  { lenient = false }: Pick<IngestOptions, 'lenient'> = {},
): Promise<IngestResult> {
  const { domain, changes } = context
  const read = elements.map(readAnswer)
  const uuids = read.flatMap((one) => ('uuid' in one ? [one.uuid] : []))
  const { change, ...result } = await changeData(context, async (sql) => {
    const now = context.now()
    const locked = await lockSetpoints(sql, domain.id, uuids, now)
    const allowed = locked.filter((one) => reaches(actor, one))
    const { errors, answered, changed } = follow(read, new Map(allowed.map(({ uuid, state }) => [uuid, state])))
    const answer = { errors: errors.listed, errorCount: errors.count }
    if (errors.count > 0 && !lenient) return { ...answer, stored: 0, change: 0 }
    return { ...answer, stored: answered, change: await saveAnswers(sql, domain.id, changed, now) }
  })
  if (change > 0) changes?.signal(domain.id, 'setpoints')
  return { ...result, cursor: setpointCursor(change) }
}

interface Answer extends AnsweredSetpoint {
  readonly state: SetpointAnswer
}

interface Unreadable {
  readonly field: string | null
  readonly code: ViolationCode
  readonly detail: string
}

interface Followed {
  readonly errors: BatchErrors
  readonly answered: number
  /** The last answer to each setpoint whose state changes. */
  readonly changed: readonly Answer[]
}

/** Applies the answers one after the other to the states of the setpoints. */
function follow(read: readonly (Answer | Unreadable)[], states: Map<string, SetpointState>): Followed {
  const errors = new BatchErrors()
  const changed = new Map<string, Answer>()
  let answered = 0
  for (const [index, one] of read.entries()) {
    if (!('uuid' in one)) {
      errors.add(index, one.field, one)
      continue
    }
    const state = states.get(one.uuid)
    const problem = state === undefined ? unknownSetpoint(one.uuid) : stateProblem(state, one.state)
    if (problem !== null) errors.add(index, state === undefined ? 'uuid' : 'state', problem)
    else answered += 1
    if (problem !== null || state === undefined || isKnownAnswer(state, one.state)) continue
    states.set(one.uuid, one.state)
    changed.set(one.uuid, one)
  }
  return { errors, answered, changed: [...changed.values()] }
}

function unknownSetpoint(uuid: string) {
  return { code: 'unknown-setpoint', detail: `there is no setpoint ${uuid}` } as const
}

function stateProblem(state: SetpointState, answer: SetpointAnswer) {
  if (isKnownAnswer(state, answer) || NEXT_STATES[state].includes(answer)) return null
  return { code: 'wrong-state', detail: `the setpoint is ${state}, and cannot become ${answer} any more` } as const
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i
const NAMES = ['uuid', 'state', 'reason']

function readAnswer(element: unknown): Answer | Unreadable {
  if (!isObject(element) || element instanceof Uint8Array)
    return refuse(null, 'wrong-type', `an answer must be an object, but is ${describe(element)}`)
  const given = element['uuid']
  const uuid = given instanceof Uint8Array && given.length === 16 ? uuidText(given) : given
  if (typeof uuid !== 'string' || !UUID.test(uuid)) return refuseField('uuid', uuid, 'the UUID of a setpoint')
  const state = ANSWERS.find((answer) => answer === element['state'])
  if (state === undefined) return refuseField('state', element['state'], ANSWERS.join(', '))
  const other = Object.keys(element).find((field) => !NAMES.includes(field))
  if (other !== undefined)
    return refuse(other, 'unknown-field', `an answer has no field ${JSON.stringify(other.slice(0, 60))}`)
  const reason = element['reason'] ?? null
  const problem = reasonProblem(reason)
  return problem ?? { uuid: uuid.toLowerCase(), state, reason: reason as string | null }
}

function reasonProblem(reason: unknown): Unreadable | null {
  if (reason === null) return null
  if (typeof reason !== 'string') return refuseField('reason', reason, 'a text')
  const problem = textProblem(reason)
  if (problem !== null) return refuse('reason', 'wrong-type', `the reason ${problem.message}`)
  if (reason.length <= SETPOINT_LIMITS.reason) return null
  const detail = `the reason has ${reason.length} characters, and ${SETPOINT_LIMITS.reason} is the most`
  return refuse('reason', 'out-of-bounds', detail)
}

function refuseField(field: string, value: unknown, expected: string): Unreadable {
  if (value === undefined) return refuse(field, 'missing-field', `${field} is missing: it must be ${expected}`)
  return refuse(field, 'wrong-type', `${field} must be ${expected}, but is ${describe(value)}`)
}

function refuse(field: string | null, code: ViolationCode, detail: string): Unreadable {
  return { field, code, detail }
}
