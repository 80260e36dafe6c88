import { randomUUID } from 'node:crypto'
import type { Grant } from '../../generated/settings.ts'
import { digestOf } from '../../src/lib/digest.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import type { AccessContext } from '../../src/platform/access/access-context.ts'
import { canonicalRecord } from '../../src/records/canonical.ts'
import { keyOf } from '../../src/records/identity.ts'
import { ACCESS } from '../../src/records/record-type.ts'
import { recordType } from '../../src/records/registry.ts'
import { raiseAccessVersion, writeDomain } from '../../src/store/domains.ts'
import { raiseModelVersion } from '../../src/store/model/model-versions.ts'
import { insertRecords } from '../../src/store/model/records.ts'

/** Replaces all grants of a domain by these. */
export async function setGrants(
  { database, domain }: Pick<AccessContext, 'database' | 'domain'>,
  grants: readonly Grant[],
): Promise<void> {
  const type = recordType(ACCESS)
  const records = grants.map((input) => {
    const { body } = canonicalRecord(type, input as unknown as JsonObject, () => undefined)
    return {
      type: ACCESS,
      key: keyOf(type, body),
      uuid: randomUUID(),
      body,
      digest: digestOf(JSON.stringify(body)),
    } as const
  })
  await writeDomain(database, domain.id, async (sql) => {
    await raiseModelVersion(sql, domain.id, 'records')
    await sql.query(`delete from records where domain_id = $1 and type = $2`, [domain.id, ACCESS])
    await insertRecords(sql, domain.id, records, new Date())
    await raiseAccessVersion(sql, domain.id)
  })
}
