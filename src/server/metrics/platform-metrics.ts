import type { ConnectionLoad } from '../../db/sql.ts'
import type { Platform } from '../platform.ts'
import type { HeavyRequests } from '../heavy/heavy-requests.ts'
import { type Family, type Sample, counter, gauge } from './exposition.ts'

/** Returns the metrics of datapoints, heavy requests and database connections, without a query to the database. */
export function platformMetrics({
  database,
  datapoints,
  heavy,
}: Pick<Platform, 'database' | 'datapoints' | 'heavy'>): () => Family[] {
  return () => {
    const { stored, hot, hotBytes, oldestHotSeconds, damagedRows } = datapoints.load
    const own = database.load?.()
    const apart = heavy?.load
    return [
      counter('holdfast_datapoints_stored_total', 'Datapoints that this process has stored.', stored),
      gauge('holdfast_datapoints_hot', 'Datapoints of this process that are stored and not yet folded.', hot),
      gauge('holdfast_datapoints_hot_bytes', 'Bytes of the datapoints that are stored and not yet folded.', hotBytes),
      gauge(
        'holdfast_datapoints_damaged_rows',
        'Rows of the table datapoints_hot_damaged, which could not be read and so not be folded.',
        damagedRows,
      ),
      gauge(
        'holdfast_datapoints_fold_delay_seconds',
        'Age of the oldest datapoint that is stored and not yet folded, in seconds; 0: there is none.',
        oldestHotSeconds,
      ),
      ...(apart === undefined ? [] : heavyMetrics(apart)),
      ...(own === undefined ? [] : connectionMetrics(own, apart?.thread?.connections)),
    ]
  }
}

/** Returns the metrics of the thread for heavy requests. */
function heavyMetrics({ requests, thread }: HeavyRequests['load']): Family[] {
  return [
    gauge('holdfast_heavy_requests', 'Plans, applies, exports and large answers that are under way.', requests),
    gauge(
      'holdfast_heavy_heap_bytes',
      'Heap of the thread for plans, applies, exports and large answers; 0: it is not running.',
      thread?.heapBytes ?? 0,
    ),
  ]
}

/** Returns the metrics of database connections. `heavy` is the last report of the heavy thread, if any. */
function connectionMetrics(own: ConnectionLoad, heavy: ConnectionLoad | undefined): Family[] {
  const loads: readonly [Sample['labels'], ConnectionLoad][] = [[{}, own]]
  const all = heavy === undefined ? loads : [...loads, [{ thread: 'heavy' }, heavy] as const]
  const samples = (value: (load: ConnectionLoad) => number, more: Sample['labels'] = {}): Sample[] =>
    all.map(([labels, load]) => ({ labels: { ...labels, ...more }, value: value(load) }))
  return [
    {
      name: 'holdfast_database_connections',
      kind: 'gauge',
      help: 'Connections of this process to PostgreSQL, by state.',
      samples: [...samples(({ used }) => used, { state: 'used' }), ...samples(({ idle }) => idle, { state: 'idle' })],
    },
    {
      name: 'holdfast_database_waiting',
      kind: 'gauge',
      help: 'Work that waits for a connection to PostgreSQL.',
      samples: samples(({ waiting }) => waiting),
    },
    // The thread's value is not used, because it would not change while the thread is idle.
    gauge('holdfast_database_up', 'Whether PostgreSQL answered the last check.', own.isUp),
    {
      name: 'holdfast_database_oldest_statement_seconds',
      kind: 'gauge',
      help: 'Time for which the oldest running statement has waited for its answer; 0: there is none.',
      samples: samples(({ oldestMs }) => oldestMs / 1_000),
    },
    {
      name: 'holdfast_database_unanswered_total',
      kind: 'counter',
      help: 'Statements that were abandoned because PostgreSQL did not answer.',
      samples: samples(({ unanswered }) => unanswered),
    },
  ]
}
