import { fetchManagedTypes, readDomain, type ManagedTypes } from '../../store/domains.ts'
import type { DomainContext } from '../domain-context.ts'

/** The record types that the last apply managed. Their records follow the files of a repository. */
export function fetchManaged({ database, domain }: DomainContext): Promise<ManagedTypes> {
  return readDomain(database, domain.id, (sql) => fetchManagedTypes(sql, domain.id))
}
