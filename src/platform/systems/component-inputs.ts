import type { NewComponent } from '../../../generated/entities.ts'
import type { Sql } from '../../db/sql.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { quoted } from '../../lib/quoted.ts'
import { COMPONENT } from '../../records/entities.ts'
import type { EntityOf } from '../../records/entity.ts'
import { plainValue } from '../../records/metadata.ts'
import { METADATA_FIELD } from '../../records/metadata-limits.ts'
import { DATA_TYPES } from '../../records/types/data-types.ts'
import { fetchEntities } from '../../store/entities.ts'
import type { DomainContext } from '../domain-context.ts'
import { newEntity, newEntityProblems } from './entity-values.ts'
import { inputPointer, type InputProblem } from './input-problems.ts'
import { noteUnique, notUniqueError, uniqueValues, type EntityRules } from './entity-metadata.ts'
import { reaches, type Reach } from './reach.ts'
import { lookUpRecords, systemProblems } from './entity-references.ts'
import { otherContent } from './sent-again.ts'

type Component = EntityOf<'Component'>

/** A component to create, with its index among the inputs. */
interface Wanted {
  readonly index: number
  /** Whether the client chose the uuid. */
  readonly isNamed: boolean
  readonly component: Component
}

/** Reads each input, or reports the problems of its values. */
export function readInputs(
  context: DomainContext,
  inputs: readonly NewComponent[],
  rules: EntityRules,
): { readonly wanted: readonly Wanted[]; readonly problems: readonly InputProblem[] } {
  const now = context.now()
  const [wanted, problems]: [Wanted[], InputProblem[]] = [[], []]
  for (const [index, input] of inputs.entries()) {
    const found = newEntityProblems(COMPONENT, input, rules)
    for (const problem of found) problems.push({ index, ...problem })
    if (found.length > 0) continue
    const made = { uuid: context.newId(), createdAt: now, updatedAt: now }
    wanted.push({ index, isNamed: input.uuid != null, component: newEntity(COMPONENT, input, made, rules) })
  }
  return { wanted, problems }
}

/** Finds the components that are stored already. Other content under the same uuid is a problem. */
export async function sentAgain(
  sql: Sql,
  domainId: number,
  actor: Reach,
  wanted: readonly Wanted[],
): Promise<{ readonly stored: ReadonlyMap<string, Component>; readonly others: readonly InputProblem[] }> {
  const named = wanted.flatMap(({ isNamed, component }) => (isNamed ? [component.uuid] : []))
  const found = (await fetchEntities(sql, domainId, COMPONENT, named)).filter((one) => reaches(actor, one))
  const stored = new Map(found.map((component) => [component.uuid, component]))
  const others = problemsAt(wanted, 'uuid', (component) => {
    const before = stored.get(component.uuid)
    return (before && otherContent(COMPONENT, before, component)) ?? undefined
  })
  return { stored, others }
}

/** Finds inputs that exclude each other. */
export function twins(wanted: readonly Wanted[], rules: EntityRules): readonly InputProblem[] {
  const names = wanted.flatMap(({ index, component }) => [
    { index, field: 'uuid', name: component.uuid, same: `the same uuid ${component.uuid}` },
    ...uniqueValues(rules, component).map(({ key, value }) => ({
      index,
      field: METADATA_FIELD,
      name: JSON.stringify([key, value]),
      same: `the same value ${quoted(plainValue(value))} of metadata ${JSON.stringify(key)}, and its MetadataType says unique`,
    })),
  ])
  const first = new Map<string, number>()
  return names.flatMap(({ index, field, name, same }) => {
    const before = first.get(name)
    first.set(name, before ?? index)
    if (before === undefined) return []
    const message = `${inputPointer(before)} and ${inputPointer(index)} have ${same}`
    return [{ index, field, error: new HoldfastError('CONFLICT', message) }]
  })
}

/** Finds the components whose model or system is missing, or accepts nothing new. */
export async function referenceProblems(
  sql: Sql,
  domainId: number,
  actor: Reach,
  wanted: readonly Wanted[],
): Promise<readonly InputProblem[]> {
  const keys = wanted.map(({ component }) => component.componentModel)
  const models = await lookUpRecords(sql, domainId, DATA_TYPES.componentModel, keys)
  const uuids = wanted.map(({ component }) => component.systemUuid)
  const systems = await systemProblems(sql, domainId, actor, uuids)
  return [
    ...problemsAt(wanted, 'componentModel', ({ componentModel }) => models.problems.get(componentModel)),
    ...problemsAt(wanted, 'system', ({ systemUuid }) => systems.get(systemUuid)),
  ]
}

/** Finds the inputs whose uuid already belongs to another component. `made` are the uuids of the created components. */
export function existing(wanted: readonly Wanted[], made: ReadonlySet<string>): readonly InputProblem[] {
  return problemsAt(wanted, 'uuid', ({ uuid }) =>
    made.has(uuid) ? undefined : new HoldfastError('CONFLICT', `there is a component ${uuid} already`),
  )
}

/** Finds the inputs whose unique metadata other components already have. If any, the transaction must end. */
export async function notUnique(
  sql: Sql,
  domainId: number,
  rules: EntityRules,
  wanted: readonly Wanted[],
): Promise<readonly InputProblem[]> {
  const components = wanted.map(({ component }) => component)
  const taken = await noteUnique(sql, domainId, rules, components)
  const errors = new Map(taken.map((value) => [value.holder, notUniqueError(value)]))
  return problemsAt(wanted, METADATA_FIELD, ({ uuid }) => errors.get(uuid))
}

function problemsAt(
  wanted: readonly Wanted[],
  field: string,
  errorOf: (component: Component) => HoldfastError | undefined,
): readonly InputProblem[] {
  return wanted.flatMap(({ index, component }) => {
    const error = errorOf(component)
    return error === undefined ? [] : [{ index, field, error }]
  })
}
