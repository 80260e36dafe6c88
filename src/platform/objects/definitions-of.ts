import { findDefinitions } from '../../store/definitions.ts'
import { readDomain } from '../../store/domains.ts'
import type { DomainContext } from '../domain-context.ts'

/** The definitions of the objects with this uuid. It does not say whether anybody may see them. */
export function definitionsOf({ database, domain }: DomainContext, uuid: string): Promise<string[]> {
  return readDomain(database, domain.id, (sql) => findDefinitions(sql, domain.id, uuid))
}
