import type { Sql } from '../../db/sql.ts'
import { withArticle } from '../../lib/article.ts'
import { HoldfastError } from '../../lib/errors.ts'
import type { RecordTypeName } from '../../records/record-type.ts'
import { recordType } from '../../records/registry.ts'
import { fetchRecords, type StoredRecord } from '../../store/model/records.ts'
import { SYSTEM } from '../../records/entities.ts'
import type { Stored } from '../../records/entity.ts'
import { fetchEntities } from '../../store/entities.ts'
import { statusOf } from '../access/accounts/status.ts'
import { checkedLine } from './input-problems.ts'
import { reaches, type Reach } from './reach.ts'

/**
 * The records of one type that a new entity refers to. They must exist and be ACTIVATED. Records outside of `visible`,
 * given by uuid, count as not existing; null if all are visible.
 */
export async function requireRecords(
  sql: Sql,
  domainId: number,
  type: RecordTypeName,
  keys: readonly string[],
  visible: readonly string[] | null = null,
): Promise<ReadonlyMap<string, StoredRecord>> {
  const { records, problems } = await lookUpRecords(sql, domainId, type, keys, visible)
  const [problem] = problems.values()
  if (problem !== undefined) throw problem
  return records
}

/** The records found for keys, and the problems of the other keys. */
interface LookedUpRecords {
  readonly records: ReadonlyMap<string, StoredRecord>
  readonly problems: ReadonlyMap<string, HoldfastError>
}

/** Finds records like `requireRecords`, for callers that report the problem of each key. */
export async function lookUpRecords(
  sql: Sql,
  domainId: number,
  type: RecordTypeName,
  keys: readonly string[],
  visible: readonly string[] | null = null,
): Promise<LookedUpRecords> {
  const { definition } = recordType(type)
  const wanted = [...new Set(keys)]
  const unreadable = problemsOf(wanted, (key) => lineProblem(key, `the key of ${withArticle(definition)}`))
  const readable = wanted.filter((key) => !unreadable.has(key))
  const found = await fetchRecords(
    sql,
    domainId,
    readable.map((key) => ({ type, key })),
  )
  const records = new Map(found.map((record) => [record.key, record]))
  const unusable = problemsOf(readable, (key) =>
    recordProblem(`${definition} ${JSON.stringify(key)}`, records.get(key), visible),
  )
  return { records, problems: new Map([...unreadable, ...unusable]) }
}

function problemsOf(
  names: readonly string[],
  problemOf: (name: string) => HoldfastError | null,
): ReadonlyMap<string, HoldfastError> {
  const problems = names.map((name) => [name, problemOf(name)] as const)
  return new Map(problems.flatMap(([name, problem]) => (problem === null ? [] : [[name, problem]])))
}

function lineProblem(text: string, what: string): HoldfastError | null {
  try {
    checkedLine(text, what)
    return null
  } catch (error) {
    if (error instanceof HoldfastError) return error
    throw error
  }
}

function recordProblem(
  name: string,
  record: StoredRecord | undefined,
  visible: readonly string[] | null,
): HoldfastError | null {
  if (record === undefined || visible?.includes(record.uuid) === false)
    return new HoldfastError('NOT_FOUND', `there is no ${name}`)
  const status = statusOf(record.body)
  if (status === 'ACTIVATED') return null
  return new HoldfastError('CONFLICT', `${name} is ${status}; it must be ACTIVATED to be used for something new`)
}

/** Checks that the systems in a filter exist for this account. */
export async function requireExistingSystems(
  sql: Sql,
  domainId: number,
  reach: Reach,
  uuids: readonly string[],
): Promise<void> {
  const systems = new Map((await fetchEntities(sql, domainId, SYSTEM, uuids)).map((system) => [system.uuid, system]))
  for (const uuid of uuids) {
    const system = systems.get(uuid)
    if (system === undefined || !reaches(reach, { systemUuid: uuid, unitUuid: system.unitUuid }))
      throw unknownSystem(uuid)
  }
}

/** Checks the systems of a new component or event. None of them may be ARCHIVED. */
export async function requireSystems(
  sql: Sql,
  domainId: number,
  reach: Reach,
  uuids: readonly string[],
): Promise<void> {
  const [problem] = (await systemProblems(sql, domainId, reach, uuids)).values()
  if (problem !== undefined) throw problem
}

/** Finds problems of the systems of new components or events, by uuid. */
export async function systemProblems(
  sql: Sql,
  domainId: number,
  reach: Reach,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, HoldfastError>> {
  const wanted = [...new Set(uuids)]
  const systems = new Map((await fetchEntities(sql, domainId, SYSTEM, wanted)).map((system) => [system.uuid, system]))
  return problemsOf(wanted, (uuid) => {
    const system = systems.get(uuid)
    if (system === undefined || !reaches(reach, { systemUuid: uuid, unitUuid: system.unitUuid }))
      return unknownSystem(uuid)
    if (system.status !== 'ARCHIVED') return null
    return new HoldfastError('CONFLICT', `the system ${uuid} is ARCHIVED; nothing new can be put into it`)
  })
}

export async function requireSystemOf(
  sql: Sql,
  domainId: number,
  reach: Reach,
  uuid: string,
): Promise<Stored<typeof SYSTEM>> {
  const [system] = await fetchEntities(sql, domainId, SYSTEM, [uuid])
  if (system === undefined || !reaches(reach, { systemUuid: uuid, unitUuid: system.unitUuid }))
    throw unknownSystem(uuid)
  return system
}

function unknownSystem(uuid: string): HoldfastError {
  return new HoldfastError('NOT_FOUND', `there is no system ${uuid}`)
}
