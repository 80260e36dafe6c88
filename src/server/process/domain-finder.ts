import type { Database } from '../../db/sql.ts'
import { findDomainByHost, type Domain } from '../../store/domains.ts'

/** How long another process may go on with what it knew of a domain's hosts. */
const FRESH_MS = 1_000

/** Looks up domains by host name. Only hosts that exist are remembered: anybody can send any other one. */
export function domainFinder(database: Database, now: () => number): (host: string) => Promise<Domain | null> {
  const known = new Map<string, { readonly domain: Domain; readonly until: number }>()
  return async (host) => {
    const remembered = known.get(host)
    if (remembered !== undefined && now() < remembered.until) return remembered.domain
    const domain = await database.read((sql) => findDomainByHost(sql, host))
    if (domain === null) known.delete(host)
    else known.set(host, { domain, until: now() + FRESH_MS })
    return domain
  }
}
