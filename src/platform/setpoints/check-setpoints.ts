import { compileRules } from '../../records/data-types/data-type.ts'
import type { ValueRules } from '../../records/values/value.ts'
import { isViolation } from '../../records/values/violation.ts'
import { breather } from '../../db/breather.ts'
import type { Sql } from '../../db/sql.ts'
import { present } from '../../lib/present.ts'
import { WorkBudget } from '../../records/value-schema/work-budget.ts'
import type { SupportedPair } from '../../store/systems/component-support.ts'
import type { SetpointSeries } from '../../store/setpoints/setpoints.ts'
import type { BatchError } from '../datapoints/ingest/batch-error.ts'
import { keyText, NOT_ALLOWED, type KeyRefusal, type PointKey } from '../datapoints/ingest/check-batch.ts'
import { isSetting } from '../datapoints/series/known-models.ts'
import { lookUp } from '../datapoints/series/resolve-series.ts'
import { valueText } from '../datapoints/ingest/reported-settings.ts'
import type { Reach } from '../systems/reach.ts'

/** A wanted setpoint. Only its form was checked. */
export interface GivenSetpoint {
  readonly key: PointKey
  readonly value: unknown
}

export interface SetpointProblem extends Pick<BatchError, 'code' | 'detail'> {
  readonly field: KeyRefusal['field'] | 'value' | 'timestamp'
  /** For an element that cannot be read: the field as it was sent, under any name. */
  readonly sent?: string | null
}

/** The JSON text of a value that may be set, with its series. */
export type CheckedSetpoint = SetpointSeries & { readonly value: string }

/**
 * Tells which setpoints may be set, by what the components support now. The answers are in the order of the elements,
 * and problems that were found before stay. It runs in a transaction that keeps the model unchanged.
 */
export async function checkSetpoints(
  sql: Sql,
  domainId: number,
  reach: Reach,
  given: readonly (GivenSetpoint | SetpointProblem)[],
): Promise<readonly (CheckedSetpoint | SetpointProblem)[]> {
  const { systemUuid } = reach
  const allowed = given.filter(isGiven).filter(({ key }) => systemUuid === null || key.system === systemUuid)
  const { pairs, refused } = await lookUp(sql, domainId, reach, new Map(allowed.map(({ key }) => [keyText(key), key])))
  const rulesOf = compiledOnce()
  const budget = new WorkBudget()
  const answerTo = (one: (typeof given)[number]): CheckedSetpoint | SetpointProblem => {
    if (!isGiven(one)) return one
    const { key, value } = one
    if (systemUuid !== null && key.system !== systemUuid) return { field: 'system', ...NOT_ALLOWED }
    const pair = pairs.get(keyText(key))
    if (pair === undefined) return present(refused.get(keyText(key)))
    if (!isSetting(pair.characteristicBody)) return notSettable(pair)
    const rules = rulesOf(pair)
    const accepted = rules.accept(value, budget)
    return isViolation(accepted) ? { field: 'value', ...accepted } : checked(key, valueText(rules, accepted))
  }
  const breathe = breather()
  const answers: (CheckedSetpoint | SetpointProblem)[] = []
  for (const one of given) {
    answers.push(answerTo(one))
    await breathe()
  }
  return answers
}

function isGiven(one: GivenSetpoint | SetpointProblem): one is GivenSetpoint {
  return 'key' in one
}

export function isProblem(answer: CheckedSetpoint | SetpointProblem): answer is SetpointProblem {
  return 'code' in answer
}

/** Compiles the rules of a pair once, because components of one model share their pairs. */
function compiledOnce(): (pair: SupportedPair) => ValueRules {
  const known = new Map<SupportedPair, ValueRules>()
  return (pair) => {
    const rules = known.get(pair) ?? compileRules(pair.characteristicBody)
    known.set(pair, rules)
    return rules
  }
}

function notSettable({ characteristicKey }: SupportedPair): SetpointProblem {
  const detail = `the characteristic ${characteristicKey} is a MEASUREMENT: only the device sets its value`
  return { field: 'characteristic', code: 'not-settable', detail }
}

function checked({ system, component, service, characteristic }: PointKey, value: string): CheckedSetpoint {
  return {
    systemUuid: system,
    componentUuid: component,
    serviceUuid: service,
    characteristicUuid: characteristic,
    value,
  }
}
