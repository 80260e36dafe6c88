import { HoldfastError } from '../../../lib/errors.ts'
import { lastGeneration } from '../../../store/datapoints/arriving/writer-slots.ts'
import type { DomainContext } from '../../domain-context.ts'
import { readServiceChange } from '../../service-change.ts'

/**
 * Makes sure that the reader sees the flush of this X-Service-Change. There is one database, and a flush is
 * acknowledged after its commit. So the number can only be unknown if the database was restored from a backup and has
 * not drawn that number again.
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
