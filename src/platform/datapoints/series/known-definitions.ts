import type { Sql } from '../../../db/sql.ts'
import { fetchKept } from '../../../store/datapoints/retention.ts'
import type { ModelVersions } from '../../../store/model/model-versions.ts'
import { fetchPairs, type SupportedPair } from '../../../store/systems/component-support.ts'
import { Retentions } from '../retention/retentions.ts'

/** The records and retentions that look-ups need, in one version of the model. */
interface Definitions {
  readonly retentions: Retentions
  /** The pairs that component models support, by the uuids of the models. */
  readonly pairs: ReadonlyMap<string, readonly SupportedPair[]>
}

/** A fleet has few models. Beyond this number, the cache is cleared. */
const MOST_MODELS = 100

/**
 * The definitions as of the last version of the model that a look-up has met. Records and retentions do not change
 * within a version (src/store/model/model-versions.ts). Reading them for each look-up took as long as reading its
 * components.
 */
export class KnownDefinitions {
  #last: (Definitions & Pick<ModelVersions, 'version' | 'identity'>) | null = null

  /** The definitions of some component models. Unknown ones are read in this snapshot. */
  async of(
    sql: Sql,
    domainId: number,
    { version, identity }: ModelVersions,
    models: readonly string[],
  ): Promise<Definitions> {
    const isSame = this.#last?.version === version && this.#last.identity === identity
    const known = isSame ? this.#last : null
    const retentions = known?.retentions ?? new Retentions(await fetchKept(sql, domainId))
    const unknown = models.filter((uuid) => known?.pairs.has(uuid) !== true)
    if (known !== null && unknown.length === 0) return known
    const read = await fetchPairs(sql, domainId, unknown)
    const pairs = new Map([...(known?.pairs ?? []), ...unknown.map((uuid) => [uuid, read.get(uuid) ?? []] as const)])
    this.#last = pairs.size > MOST_MODELS ? null : { version, identity, retentions, pairs }
    return { retentions, pairs }
  }
}
