import { checkOrigins } from '../../../auth/allowed-origins.ts'
import { readDomain } from '../../../store/domains.ts'
import { fetchDomainSettings, saveDomainSettings, type DomainSettings } from '../../../store/domain-settings.ts'
import { changeAccess } from '../../change-domain.ts'
import type { AccessContext } from '../access-context.ts'

export async function domainSettings({ database, domain }: AccessContext): Promise<DomainSettings> {
  return readDomain(database, domain.id, (sql) => fetchDomainSettings(sql, domain.id))
}

/** Changes only the given settings. */
export async function changeDomainSettings(context: AccessContext, changes: Partial<DomainSettings>): Promise<void> {
  const { id } = context.domain
  const { allowedOrigins } = changes
  const checked = { ...changes, ...(allowedOrigins !== undefined && { allowedOrigins: checkOrigins(allowedOrigins) }) }
  await changeAccess(context, async (sql) =>
    saveDomainSettings(sql, id, { ...(await fetchDomainSettings(sql, id)), ...checked }),
  )
}
