import { Client } from 'pg'
import type { AnswerWatch } from './answer-watch.ts'

/** A statement that takes longer makes the watch look at the nodes. */
const SLOW_MS = 2_000
/** A node that accepts no connection in this time is away. */
const CONNECTING_MS = 3_000
const TICK_MS = 1_000
/** The time for connecting to the coordinator, and that for its answer, so that no probe lasts for ever. */
const PROBE_MS = 30_000

/** Finds the domains on nodes that the coordinator cannot connect to. */
const SELECT_AWAY = `with away as materialized (
    select groupid from pg_dist_node where noderole = 'primary' and shouldhaveshards
      and not citus_check_connection_to_node(nodename, nodeport))
  select d.id from away join pg_dist_placement p using (groupid)
    join domains d on p.shardid = get_shard_id_for_distribution_column('domain_state', d.id)`

/**
 * Detects nodes of Citus that hang, or whose network drops everything. Statements of their domains would occupy all
 * connections of this process. Citus cannot give up a statement that it has sent to such a node, so this process does.
 */
export class NodeWatch {
  readonly #url: string
  readonly #watch: Pick<AnswerWatch, 'oldestMs' | 'giveUp'>
  readonly #probeMs: number
  readonly #timer = setInterval(() => void this.#tick(), TICK_MS).unref()
  #away: ReadonlySet<number> = new Set()
  #isProbing = false

  constructor(url: string, watch: Pick<AnswerWatch, 'oldestMs' | 'giveUp'>, probeMs = PROBE_MS) {
    this.#url = url
    this.#watch = watch
    this.#probeMs = probeMs
  }

  /** The domains whose node is away. */
  get away(): ReadonlySet<number> {
    return this.#away
  }

  end(): void {
    clearInterval(this.#timer)
  }

  async #tick(): Promise<void> {
    if (this.#isProbing || (this.#away.size === 0 && this.#watch.oldestMs < SLOW_MS)) return
    this.#isProbing = true
    const before = this.#away
    // A probe that fails says nothing about the nodes.
    this.#away = await this.#probe().catch(() => before)
    this.#isProbing = false
    const isNew = [...this.#away].some((domainId) => !before.has(domainId))
    // Later statements of several domains leave these out.
    this.#watch.giveUp(SLOW_MS, new Set([...this.#away, ...(isNew ? [null] : [])]))
  }

  /** Asks on a new connection, because the coordinator then opens new connections to the nodes, too. */
  async #probe(): Promise<ReadonlySet<number>> {
    const client = new Client({
      connectionString: this.#url,
      application_name: 'holdfast-nodes',
      connectionTimeoutMillis: this.#probeMs,
      query_timeout: this.#probeMs,
    })
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.query(`set citus.node_connection_timeout = ${CONNECTING_MS}`)
      const { rows } = await client.query<{ readonly id: string }>(SELECT_AWAY)
      return new Set(rows.map(({ id }) => Number(id)))
    } finally {
      client.end().catch(() => undefined)
    }
  }
}
