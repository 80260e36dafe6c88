import { HoldfastError } from '../../../lib/errors.ts'
import { lastGeneration } from '../../../store/datapoints/arriving/writer-slots.ts'
import type { DomainContext } from '../../domain-context.ts'
import { readServiceChange } from '../../service-change.ts'

/**
 * Makes sure that the reader sees what the flush of this X-Service-Change wrote. There is one database, and a flush
 * is acknowledged when it is committed, so the number is only unknown to a database that was set back, until it has
 * drawn that number again.
 */
export async function requireStored(
  { database, domain }: Pick<DomainContext, 'database' | 'domain'>,
  serviceChange: string,
): Promise<void> {
  const generation = readServiceChange(domain, serviceChange)
  if (generation === 0 || generation <= (await lastGeneration(database))) return
  throw new HoldfastError(
    'CONFLICT',
    'the batch of this X-Service-Change is not stored: the database was restored to an earlier state; send the batch again',
  )
}
