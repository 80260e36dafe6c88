import { isUuid } from '../../../lib/uuid.ts'
import { fetchCredentials } from '../../../store/access/system-credentials.ts'
import { readDomain } from '../../../store/domains.ts'
import { fetchKeysByUuid } from '../../../store/model/records.ts'
import type { DomainContext } from '../../domain-context.ts'

/**
 * Names the accounts that sent to a system, or to none that is known; an account that is gone keeps its uuid. The user name
 * of a device stays hidden.
 */
export async function senderNames(
  { database, domain }: DomainContext,
  systemUuid: string | null,
  senders: readonly (string | null)[],
): Promise<(sender: string | null) => string | null> {
  const uuids = [...new Set(senders)].flatMap((one) => (one !== null && isUuid(one) ? [one] : []))
  if (uuids.length === 0) return (sender) => sender
  const [keys, devices] = await readDomain(database, domain.id, async (sql) => [
    await fetchKeysByUuid(sql, domain.id, uuids),
    new Set(systemUuid === null ? [] : (await fetchCredentials(sql, domain.id, systemUuid)).map(({ uuid }) => uuid)),
  ])
  return (sender) => {
    if (sender === null) return null
    return devices.has(sender) ? 'a device of this system' : (keys.get(sender) ?? sender)
  }
}
