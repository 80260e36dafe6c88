import type { ConnectionLoad } from '../../db/sql.ts'
import type { Platform } from '../process/platform.ts'
import type { Family } from './exposition.ts'
import { counter, gauge } from './gauge.ts'

/** What the platform has stored, and what waits. None of it needs the database. */
export function platformMetrics({ database, datapoints }: Pick<Platform, 'database' | 'datapoints'>): () => Family[] {
  return () => {
    const { stored, hot, oldestHotSeconds } = datapoints.load
    return [
      counter('holdfast_datapoints_stored_total', 'Datapoints that this process has stored.', stored),
      gauge('holdfast_datapoints_hot', 'Datapoints of this process that are stored and not yet folded.', hot),
      gauge(
        'holdfast_datapoints_fold_delay_seconds',
        'For how long the oldest of these has waited; 0: there is none.',
        oldestHotSeconds,
      ),
      ...(database.load === undefined ? [] : connectionMetrics(database.load())),
    ]
  }
}

function connectionMetrics({ used, idle, waiting, isUp, oldestMs, unanswered }: ConnectionLoad): Family[] {
  return [
    {
      name: 'holdfast_database_connections',
      kind: 'gauge',
      help: 'Connections of this process to PostgreSQL, by what they do.',
      samples: [
        { labels: { state: 'used' }, value: used },
        { labels: { state: 'idle' }, value: idle },
      ],
    },
    gauge('holdfast_database_waiting', 'Pieces of work that wait for one of these connections.', waiting),
    gauge('holdfast_database_up', 'Whether PostgreSQL has answered when it was last asked.', isUp),
    gauge(
      'holdfast_database_oldest_statement_seconds',
      'For how long the oldest statement under way waits for its answer; 0: there is none.',
      oldestMs / 1_000,
    ),
    counter(
      'holdfast_database_unanswered_total',
      'Statements that were given up because PostgreSQL did not answer.',
      unanswered,
    ),
  ]
}
