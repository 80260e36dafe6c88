import type { Sql } from '../../db/sql.ts'
import { badInput, HoldfastError } from '../../lib/errors.ts'
import { quoted } from '../../lib/quoted.ts'
import { fetchSupport } from '../../store/systems/component-support.ts'
import { fetchSetpoints } from '../../store/setpoints/setpoints.ts'
import { isRetryable } from '../datapoints/ingest/batch-error.ts'
import { MOST_LISTED } from '../systems/input-problems.ts'
import { isPairOf } from '../datapoints/reading/series/find-series.ts'
import { MOST_ANSWER_BYTES } from '../answer-budget.ts'
import { changeData } from '../change-domain.ts'
import type { DomainContext } from '../domain-context.ts'
import { reaches, type Reach } from '../systems/reach.ts'
import { checkSetpoints, isProblem, type GivenSetpoint, type SetpointProblem } from './check-setpoints.ts'
import { makeSetpoints, type WantedSetpoint } from './make-setpoints.ts'
import {
  componentsOfModels,
  type ModelSetting,
  type ModelsFound,
  notSupported,
  type ComponentSetting,
  type PointedProblem,
  type PointedSetting,
} from './model-settings.ts'
import { SETPOINT_LIMITS, toSetpoints, withValues, type Setpoint } from './setpoint.ts'
import { parseInterval, type IntervalUse } from '../../datapoints/buckets/calendar.ts'
import { readAnyInstant } from '../systems/event-times.ts'

export interface NewSetpoints extends GivenExpiry {
  readonly components: readonly ComponentSetting[]
  readonly models: readonly ModelSetting[]
}

/** Sets all setpoints or none, and returns the setpoints that were made. */
export async function setSetpoints(
  context: DomainContext,
  actor: Reach,
  settings: NewSetpoints,
): Promise<readonly Setpoint[]> {
  const { domain, changes } = context
  if (settings.components.length + settings.models.length === 0) throw nothingGiven()
  checkCount(settings.models.length, 'models', 'models can be named at once; set some of them first')
  const expiresAt = expiryOf(settings, context.now())
  const made = await changeData(context, async (sql) => {
    const wanted = await resolve(sql, context, actor, await everySetting(sql, domain.id, actor, settings))
    const { uuids, now } = await makeSetpoints(sql, context, wanted, expiresAt)
    return withValues(sql, domain.id, await fetchSetpoints(sql, domain.id, uuids, now))
  })
  if (made.length > 0) changes?.signal(domain.id, 'setpoints')
  return toSetpoints(made)
}

function nothingGiven(): HoldfastError {
  return new HoldfastError('BAD_USER_INPUT', 'nothing is given to set: name components, or models')
}

async function everySetting(
  sql: Sql,
  domainId: number,
  actor: Reach,
  { components, models }: NewSetpoints,
): Promise<ModelsFound> {
  const single = components.map((one, index): PointedSetting => ({ ...one, pointer: `/components/${index}` }))
  checkMade(single)
  const found = await componentsOfModels(sql, domainId, actor, models, SETPOINT_LIMITS.made + 1)
  const settings = [...single, ...found.settings]
  checkMade(settings)
  checkBytes(settings)
  return { settings, problems: found.problems }
}

function checkMade({ length }: readonly PointedSetting[]): void {
  checkCount(length, 'made', 'setpoints can be set at once; name fewer components')
}

function checkCount(count: number, limit: 'made' | 'models', advice: string): void {
  const most = SETPOINT_LIMITS[limit]
  if (count <= most) return
  throw new HoldfastError('LIMIT_EXCEEDED', `at most ${most.toLocaleString('en-US')} ${advice}`)
}

/** All values will be in memory at once, each as often as it is set, and in the answer. */
function checkBytes(settings: readonly PointedSetting[]): void {
  const times = Map.groupBy(settings, ({ value }) => value)
  const bytes = times
    .entries()
    .reduce((sum, [value, { length }]) => sum + Buffer.byteLength(JSON.stringify(value)) * length, 0)
  if (bytes <= MOST_ANSWER_BYTES) return
  const [given, most] = [bytes, MOST_ANSWER_BYTES].map((count) => count.toLocaleString('en-US'))
  throw new HoldfastError(
    'LIMIT_EXCEEDED',
    `the values of all setpoints have ${given} bytes together, and at most ${most} can be set at once; name fewer components`,
  )
}

/** Resolves the names, and checks whether everything may be set. */
async function resolve(
  sql: Sql,
  { domain }: DomainContext,
  actor: Reach,
  { settings, problems: unknown }: ModelsFound,
): Promise<readonly WantedSetpoint[]> {
  const named = await nameSeries(sql, domain.id, actor, settings)
  const answers = await checkSetpoints(sql, domain.id, actor, named)
  const problems = answers.flatMap((answer, index) =>
    isProblem(answer) ? [{ ...answer, pointer: settings[index]?.pointer ?? '' }] : [],
  )
  if (problems.length + unknown.length > 0) throw wrong([...problems, ...unknown])
  return answers.flatMap((answer) => (isProblem(answer) ? [] : [{ ...answer, setAt: null }]))
}

/** The error for the problems. Equal problems are reported once, since a model's components mostly share them. */
function wrong(problems: readonly PointedProblem[]): HoldfastError {
  const errors = problems.map(({ pointer, field, code, detail }) => {
    return { pointer: field === null ? pointer : `${pointer}/${field}`, code, detail, retryable: isRetryable(code) }
  })
  const different = [...new Map(errors.map((error) => [JSON.stringify(error), error])).values()]
  const [first] = different
  const message = `${different.length === 1 ? '' : `${different.length} mistakes, and `}nothing was set. ${first?.pointer}: ${first?.detail}`
  return new HoldfastError('BAD_USER_INPUT', message, { details: different.slice(0, MOST_LISTED) })
}

async function nameSeries(
  sql: Sql,
  domainId: number,
  actor: Reach,
  settings: readonly ComponentSetting[],
): Promise<readonly (GivenSetpoint | SetpointProblem)[]> {
  const support = await fetchSupport(sql, domainId, [...new Set(settings.map(({ component }) => component))])
  const byComponent = new Map(support.map((one) => [one.componentUuid, one]))
  return settings.map(({ component, value, ...name }) => {
    const found = byComponent.get(component)
    if (found === undefined || !reaches(actor, found))
      return { field: 'component', code: 'unknown-component', detail: `there is no component ${component}` }
    const pair = found.pairs.find((one) => isPairOf(one, name))
    if (pair === undefined) return notSupported(name)
    const { serviceUuid: service, characteristicUuid: characteristic } = pair
    return { key: { system: found.systemUuid, component, service, characteristic }, value }
  })
}

interface GivenExpiry {
  /** RFC 3339. */
  readonly expiresAt?: string | null
  /** An ISO 8601 duration. */
  readonly expiresIn?: string | null
}

const DAY_MS = 86_400_000

/** The time when a setpoint expires unless it is applied; null for never. */
function expiryOf({ expiresAt, expiresIn }: GivenExpiry, now: Date): Date | null {
  if (expiresAt != null && expiresIn != null) throw badInput('expiresAt and expiresIn cannot be given both')
  if (expiresIn != null) return after(now, millisecondsOf(expiresIn))
  if (expiresAt == null) return null
  const moment = new Date(readAnyInstant(expiresAt, 'expiresAt') / 1000)
  if (moment > now) return moment
  throw badInput(`expiresAt has passed: ${quoted(expiresAt)}; it is ${now.toISOString()} now`)
}

/** The limit is far enough for every real setpoint. */
const LATEST = Date.UTC(2200, 0)

function after(now: Date, ms: number): Date {
  const time = now.getTime() + ms
  if (time <= LATEST) return new Date(time)
  throw badInput('expiresIn is too long: it ends after the year 2199; leave it out for a setpoint that does not expire')
}

const EXPIRY: IntervalUse = { name: 'expiresIn', examples: 'PT15M, PT1H, P1D, P1W' }

function millisecondsOf(text: string): number {
  const interval = parseInterval(text, EXPIRY)
  if (interval.unit === 'months')
    throw badInput(`expiresIn cannot be ${quoted(text)}: months differ; give days, or a time`)
  const ms = interval.unit === 'days' ? interval.count * DAY_MS : interval.count / 1000
  if (ms >= 1) return ms
  throw badInput(`expiresIn is less than a millisecond: ${quoted(text)}`)
}
