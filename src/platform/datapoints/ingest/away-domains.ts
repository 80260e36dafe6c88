import { setTimeout } from 'node:timers/promises'
import type { Database } from '../../../db/sql.ts'
import { listDomainIds } from '../../../store/domains.ts'
import { fetchNodes, isReachable } from '../../../store/nodes-of-domains.ts'

const PAUSE_MS = 300

/**
 * The domains of nodes that did not answer a flush. A node without power refuses nothing, so a statement waits long for it,
 * and all domains wait for a flush. So these nodes are asked beside the flushes until they answer (docs/decisions/0088).
 */
export class AwayDomains {
  readonly #database: Database
  readonly #answered: () => void
  /** The nodes that are being asked, and since when, in milliseconds of the process. */
  readonly #nodes = new Map<number, number>()
  /** The node of each domain, as of the last failure. A domain of no known node has one of its own. */
  #nodeOf: ReadonlyMap<number, number> = new Map()

  /** `answered` is called when a node answers. */
  constructor(database: Database, answered: () => void) {
    this.#database = database
    this.#answered = answered
  }

  /** The time since which the domain waits for its node; undefined if it need not wait. */
  since(domainId: number): number | undefined {
    return this.#nodes.size === 0 ? undefined : this.#nodes.get(this.#nodeOf.get(domainId) ?? -domainId)
  }

  /** Begins to ask the nodes of these domains. One of them is away. */
  async note(domainIds: readonly number[]): Promise<void> {
    const nodes = this.#database.read(listDomainIds).then((all) => fetchNodes(this.#database, all))
    const nodeOf = await nodes.catch(() => new Map<number, number>())
    this.#nodeOf = nodeOf
    for (const domainId of domainIds)
      if (this.since(domainId) === undefined) void this.#ask(nodeOf.get(domainId) ?? -domainId, domainId)
  }

  async #ask(node: number, domainId: number): Promise<void> {
    this.#nodes.set(node, performance.now())
    // The next flush reports any other error.
    while (!(await isReachable(this.#database, domainId).catch(() => true)))
      await setTimeout(PAUSE_MS, undefined, { ref: false })
    this.#nodes.delete(node)
    this.#answered()
  }
}
