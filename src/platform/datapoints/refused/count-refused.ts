import { readDomain } from '../../../store/domains.ts'
import { fetchRefusedSince, type RefusedSince } from '../../../store/datapoints/arriving/refused-datapoints.ts'
import type { DomainContext } from '../../domain-context.ts'

/** How many datapoints were refused since a moment, by code, the most first: of the systems that the context is bound to. */
export function countRefused({ database, domain }: DomainContext, since: Date): Promise<readonly RefusedSince[]> {
  return readDomain(database, domain.id, (sql) => fetchRefusedSince(sql, domain.id, null, since))
}
