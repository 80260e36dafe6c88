import { findDefinition } from '../../store/definitions.ts'
import { readDomain } from '../../store/domains.ts'
import type { DomainContext } from '../domain-context.ts'

/** The definition of the object with this uuid; null if there is none. It does not say whether anybody may see it. */
export function definitionOf({ database, domain }: DomainContext, uuid: string): Promise<string | null> {
  return readDomain(database, domain.id, (sql) => findDefinition(sql, domain.id, uuid))
}
