import type { Sql } from '../../db/sql.ts'
import { withArticle } from '../../lib/article.ts'
import { HoldfastError } from '../../lib/errors.ts'
import type { RecordTypeName } from '../../records/record-type.ts'
import { recordType } from '../../records/registry.ts'
import { fetchRecords, type StoredRecord } from '../../store/model/records.ts'
import { SYSTEM } from '../../records/entities/system.ts'
import type { Stored } from '../../records/entity.ts'
import { fetchEntities } from '../../store/entities.ts'
import { statusOf } from '../access/accounts/status.ts'
import { checkedLine } from './checked-text.ts'
import { reaches, type Reach } from './reach.ts'

/**
 * The records of one type that something new refers to. They must exist and be ACTIVATED.
 * Records outside of `visible`, given by uuid, count as not existing; null where all are visible.
 */
export async function requireRecords(
  sql: Sql,
  domainId: number,
  type: RecordTypeName,
  keys: readonly string[],
  visible: readonly string[] | null = null,
): Promise<ReadonlyMap<string, StoredRecord>> {
  const { definition } = recordType(type)
  const wanted = [...new Set(keys)].map((key) => checkedLine(key, `the key of ${withArticle(definition)}`))
  const found = await fetchRecords(
    sql,
    domainId,
    wanted.map((key) => ({ type, key })),
  )
  const records = new Map(found.map((record) => [record.key, record]))
  for (const key of wanted) {
    const record = records.get(key)
    const name = `${definition} ${JSON.stringify(key)}`
    if (record === undefined || visible?.includes(record.uuid) === false)
      throw new HoldfastError('NOT_FOUND', `there is no ${name}`)
    const status = statusOf(record.body)
    if (status !== 'ACTIVATED')
      throw new HoldfastError('CONFLICT', `${name} is ${status}; only what is ACTIVATED can be used for something new`)
  }
  return records
}

/** Checks that systems exist for this account, which are named to read from. */
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

/** Checks the systems that something is added to. None of them may be ARCHIVED. */
export async function requireSystems(
  sql: Sql,
  domainId: number,
  reach: Reach,
  uuids: readonly string[],
): Promise<void> {
  const wanted = [...new Set(uuids)]
  const systems = new Map((await fetchEntities(sql, domainId, SYSTEM, wanted)).map((system) => [system.uuid, system]))
  for (const uuid of wanted) {
    const system = systems.get(uuid)
    if (system === undefined || !reaches(reach, { systemUuid: uuid, unitUuid: system.unitUuid }))
      throw unknownSystem(uuid)
    if (system.status === 'ARCHIVED')
      throw new HoldfastError('CONFLICT', `the system ${uuid} is ARCHIVED; nothing new can be put into it`)
  }
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
