import { readDomain, writeAccess } from '../../../store/domains.ts'
import { fetchDomainSettings, saveDomainSettings, type DomainSettings } from '../../../store/domain-settings.ts'
import type { AccessContext } from '../access-context.ts'

export async function domainSettings({ database, domain }: AccessContext): Promise<DomainSettings> {
  return readDomain(database, domain.id, (sql) => fetchDomainSettings(sql, domain.id))
}

export async function changeDomainSettings(
  { database, domain }: AccessContext,
  settings: DomainSettings,
): Promise<void> {
  await writeAccess(database, domain.id, (sql) => saveDomainSettings(sql, domain.id, settings))
}
