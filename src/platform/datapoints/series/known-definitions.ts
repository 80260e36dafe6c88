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

/**
 * The maximum numbers of domains, and of component models of all domains. A fleet has few, and a model takes some hundred
 * kilobytes.
 */
const MOST_MODELS = 400

/**
 * The definitions of domains as of the last version of their model that a look-up has met. Records and retentions do
 * not change within a version (src/store/model/model-versions.ts). Reading them for each look-up took as long as
 * reading its components. If there are too many, it forgets the definitions of the domain that was looked up longest
 * ago.
 */
export class KnownDefinitions {
  /** By domain, the least recently used first. */
  readonly #known = new Map<number, Definitions & Pick<ModelVersions, 'version' | 'identity'>>()
  #models = 0

  /** The definitions of some component models. Unknown ones are read in this snapshot. */
  async of(
    sql: Sql,
    domainId: number,
    { version, identity }: ModelVersions,
    models: readonly string[],
  ): Promise<Definitions> {
    const last = this.#known.get(domainId)
    const known = last?.version === version && last.identity === identity ? last : null
    const retentions = known?.retentions ?? new Retentions(await fetchKept(sql, domainId))
    const unknown = models.filter((uuid) => known?.pairs.has(uuid) !== true)
    const read = await fetchPairs(sql, domainId, unknown)
    const pairs = new Map([...(known?.pairs ?? []), ...unknown.map((uuid) => [uuid, read.get(uuid) ?? []] as const)])
    this.#forget(domainId)
    this.#known.set(domainId, { version, identity, retentions, pairs })
    this.#models += 1 + pairs.size
    for (const oldest of this.#known.keys()) if (this.#models > MOST_MODELS) this.#forget(oldest)
    return { retentions, pairs }
  }

  #forget(domainId: number): void {
    const known = this.#known.get(domainId)
    if (known !== undefined) this.#models -= 1 + known.pairs.size
    this.#known.delete(domainId)
  }
}
