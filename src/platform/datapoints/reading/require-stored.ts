import { HoldfastError } from '../../../lib/errors.ts'
import { lastGeneration } from '../../../store/datapoints/generations.ts'
import type { DomainContext } from '../../domain-context.ts'
import { readServiceChange } from '../../service-change.ts'

/**
 * Whoever reads after this sees what the flush of this X-Service-Change wrote: there is one database, and a flush is
 * answered for when it is committed. Only a database that was set back does not know the number, as long as it has not
 * come so far again.
 */
export async function requireStored(
  { database, domain }: Pick<DomainContext, 'database' | 'domain'>,
  serviceChange: string,
): Promise<void> {
  const generation = readServiceChange(domain, serviceChange)
  if (generation === 0 || generation <= (await lastGeneration(database))) return
  throw new HoldfastError(
    'CONFLICT',
    'what this X-Service-Change names is not there: the database was set back to an earlier state; send it again',
  )
}
