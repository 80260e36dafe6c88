import type { Database, Sql } from '../../../db/sql.ts'
import { readDomain } from '../../../store/domains.ts'
import { fetchKept } from '../../../store/datapoints/retention.ts'
import { fetchChangedSystems, fetchModelVersions } from '../../../store/model/model-versions.ts'
import { fetchModels, type ModelSupport, type SupportedPair } from '../../../store/systems/component-support.ts'
import { Retentions } from '../retention/retentions.ts'
import type { DomainSeries, ModelChanges } from './series-cache.ts'
import { HoldfastError } from '../../../lib/errors.ts'

/**
 * Updates the known series of a domain to the present version of its model. The work depends on the number of changes
 * and not of series: a series keeps its number as long as its kind stays (docs/decisions/0037).
 */
export async function followModel(database: Database, domainId: number, cache: DomainSeries): Promise<void> {
  const { version, identity } = cache
  const changes = await readDomain(database, domainId, (sql) => fetchChanges(sql, domainId, cache))
  // If another look-up was faster, the changes since its version are not known.
  const isSame = cache.version === version && cache.identity === identity
  if (isSame && (changes.version !== version || changes.identity !== identity)) cache.follow(changes)
}

async function fetchChanges(
  sql: Sql,
  domainId: number,
  { version: since, identity: known, models }: Pick<DomainSeries, 'version' | 'identity' | 'models'>,
): Promise<ModelChanges> {
  const { version, records, deletion, identity } = await fetchModelVersions(sql, domainId)
  // A database that was restored from a backup has other series.
  const isAnew = since < 0 || deletion > since || version < since || identity !== known
  if (isAnew || version === since) return { version, identity, isAnew, systems: [], definitions: null }
  const systems = await fetchChangedSystems(sql, domainId, since)
  return {
    version,
    identity,
    isAnew,
    systems,
    definitions: records > since ? await fetchDefinitions(sql, domainId, models) : null,
  }
}

async function fetchDefinitions(
  sql: Sql,
  domainId: number,
  uuids: readonly string[],
): Promise<ModelChanges['definitions']> {
  const retentions = new Retentions(await fetchKept(sql, domainId))
  const models = await fetchModels(sql, domainId, uuids)
  return { models: new Map(models.map((model) => [model.uuid, openPairs(model)])), retentions }
}

/** The pairs that accept datapoints, as far as their records decide that. */
function openPairs({ status, pairs }: ModelSupport): readonly SupportedPair[] {
  if (status !== 'ACTIVATED') return []
  return pairs.filter(
    ({ serviceStatus, characteristicBody }) =>
      serviceStatus === 'ACTIVATED' && (characteristicBody['status'] ?? 'ACTIVATED') === 'ACTIVATED',
  )
}

/** People who change a model repeatedly take less time than this, and senders wait longer for an answer. */
const PATIENCE_MS = 20_000

/** Returns a function to call before each retry because of a changed model. It throws when the patience ends. */
export function patienceWithModel(): () => void {
  let since: number | null = null
  return () => {
    const now = performance.now()
    since ??= now
    if (now - since >= PATIENCE_MS) throw new HoldfastError('UNAVAILABLE', CHANGING)
  }
}

const CHANGING =
  'the model of this domain, or its rights, change too often; nothing of the batch was stored; try again in a moment'
