import type { Sql } from '../../db/sql.ts'
import { quoted } from '../../lib/quoted.ts'
import { SYSTEM } from '../../records/entities.ts'
import { DATA_TYPES } from '../../records/types/data-types.ts'
import { fetchEntities } from '../../store/entities.ts'
import { fetchActiveComponents, type ModelComponents } from '../../store/model/model-components.ts'
import { fetchRecords } from '../../store/model/records.ts'
import { fetchPairs } from '../../store/systems/component-support.ts'
import { isPairOf } from '../datapoints/reading/series/find-series.ts'
import { reaches, type Reach } from '../systems/reach.ts'
import { requireRecords } from '../systems/entity-references.ts'
import type { SetpointProblem } from './check-setpoints.ts'

/** One value for all ACTIVATED components of a component model. */
export interface ModelSetting extends SettingName, ModelComponents {}

interface FoundModel {
  readonly setting: ModelSetting
  readonly modelUuid: string
  readonly pointer: string
  readonly components: readonly FoundComponent[]
}

type FoundComponent = Awaited<ReturnType<typeof fetchActiveComponents>>[number]

export interface ModelsFound {
  readonly settings: readonly PointedSetting[]
  /**
   * The records that the command names and that do not exist. A filter may name missing records, but a command may not.
   */
  readonly problems: readonly PointedProblem[]
}

/** The components of the models. At most `most` are looked up at once. */
export async function componentsOfModels(
  sql: Sql,
  domainId: number,
  actor: Reach,
  models: readonly ModelSetting[],
  most: number,
): Promise<ModelsFound> {
  const keys = models.map(({ componentModel }) => componentModel)
  const records = await requireRecords(sql, domainId, DATA_TYPES.componentModel, keys)
  const found: FoundModel[] = []
  let count = 0
  for (const [index, setting] of models.entries()) {
    const { componentModel, systems, organizationUnits } = setting
    const which = { componentModel, systems, organizationUnits, units: actor.units ?? undefined }
    const components = await fetchActiveComponents(sql, domainId, which, most)
    const modelUuid = records.get(componentModel)?.uuid ?? ''
    found.push({ setting, modelUuid, pointer: `/models/${index}`, components })
    count += components.length
    if (count >= most) break
  }
  const problems = [
    ...(await unknownUnits(sql, domainId, actor, found)),
    ...(await unknownSystems(sql, domainId, actor, found)),
    ...(await unknownPairs(sql, domainId, found)),
  ]
  return { settings: found.flatMap(settingsOf), problems }
}

function settingsOf({ setting, pointer, components }: FoundModel): readonly PointedSetting[] {
  const { service, characteristic, value } = setting
  return components.map(({ uuid }) => ({ component: uuid, service, characteristic, value, pointer }))
}

async function unknownUnits(
  sql: Sql,
  domainId: number,
  { units }: Reach,
  models: readonly FoundModel[],
): Promise<readonly PointedProblem[]> {
  const named = new Set(models.flatMap(({ setting }) => setting.organizationUnits ?? []))
  const wanted = [...named].map((key) => ({ type: DATA_TYPES.unit, key }))
  const records = await fetchRecords(sql, domainId, wanted)
  const known = new Set(records.filter(({ uuid }) => units?.includes(uuid) !== false).map(({ key }) => key))
  return models.flatMap((model) => unknownAmong(model, 'organizationUnits', known))
}

/** The systems of the found components exist. Only the other systems are looked up. */
async function unknownSystems(
  sql: Sql,
  domainId: number,
  actor: Reach,
  models: readonly FoundModel[],
): Promise<readonly PointedProblem[]> {
  const seen = new Set(models.flatMap(({ components }) => components.map(({ systemUuid }) => systemUuid)))
  const others = new Set(models.flatMap(({ setting }) => setting.systems ?? [])).difference(seen)
  const systems = await fetchEntities(sql, domainId, SYSTEM, [...others])
  const reached = systems.filter(({ uuid, unitUuid }) => reaches(actor, { systemUuid: uuid, unitUuid }))
  const known = new Set([...seen, ...reached.map(({ uuid }) => uuid)])
  return models.flatMap((model) => unknownAmong(model, 'systems', known))
}

const UNKNOWN = {
  systems: { code: 'unknown-system', what: (uuid: string) => `system ${uuid}` },
  organizationUnits: { code: 'unknown-unit', what: (key: string) => `organization or unit ${quoted(key)}` },
} as const

function unknownAmong(
  { setting, pointer }: FoundModel,
  field: keyof typeof UNKNOWN,
  known: ReadonlySet<string>,
): readonly PointedProblem[] {
  const { code, what } = UNKNOWN[field]
  return (setting[field] ?? []).flatMap((name, index) =>
    known.has(name)
      ? []
      : [{ field: null, code, detail: `there is no ${what(name)}`, pointer: `${pointer}/${field}/${index}` }],
  )
}

/** The reasons for which a component of the model would be rejected, for models without components. */
async function unknownPairs(
  sql: Sql,
  domainId: number,
  models: readonly FoundModel[],
): Promise<readonly PointedProblem[]> {
  const empty = models.filter(({ components }) => components.length === 0)
  const pairs = await fetchPairs(sql, domainId, [...new Set(empty.map(({ modelUuid }) => modelUuid))])
  return empty.flatMap(({ setting, modelUuid, pointer }) =>
    pairs.get(modelUuid)?.some((pair) => isPairOf(pair, setting)) === true
      ? []
      : [{ ...notSupported(setting), pointer }],
  )
}

/** Service and characteristic by uuid or record key. */
interface SettingName {
  readonly service: string
  readonly characteristic: string
  readonly value: unknown
}

export interface ComponentSetting extends SettingName {
  readonly component: string
}

/** A setting or a problem, with its place in the request. */
export type PointedSetting = ComponentSetting & { readonly pointer: string }
export type PointedProblem = SetpointProblem & { readonly pointer: string }

export function notSupported({
  service,
  characteristic,
}: Pick<SettingName, 'service' | 'characteristic'>): SetpointProblem {
  const [what, of] = [quoted(characteristic), quoted(service)]
  return {
    field: null,
    code: 'not-supported',
    detail: `the component's model has no characteristic ${what} in a service ${of}`,
  }
}
