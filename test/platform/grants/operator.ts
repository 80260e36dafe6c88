import type { DomainContext } from '../../../src/platform/domain-context.ts'
import { insertPlatformRecord } from '../../../src/store/access/platform-records.ts'

/** The machine user that the platform has for itself, as the bootstrap makes it. */
export async function addOperator({ database, domain, newId, now }: DomainContext): Promise<void> {
  const operator = {
    type: 'machineUsers',
    key: 'operator',
    body: { username: 'operator', status: 'ACTIVATED' },
  } as const
  await database.transaction((sql) =>
    insertPlatformRecord(sql, domain.id, { ...operator, uuid: newId(), hash: null, createdAt: now() }),
  )
}
