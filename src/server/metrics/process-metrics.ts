import { monitorEventLoopDelay } from 'node:perf_hooks'
import { type Family, type Sample, counter, gauge } from './exposition.ts'

const RESOLUTION_MS = 20
const NANOSECONDS = 1e9

/** Returns the metrics of the process, which are measured from now on. */
export function processMetrics(isReady: () => boolean): () => Family[] {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  return () => {
    const { user, system } = process.cpuUsage()
    const { rss, heapUsed } = process.memoryUsage()
    const quantiles = [0.5, 0.99, 1].map((quantile): Sample => ({
      labels: { quantile: String(quantile) },
      value: late(delay.percentile(quantile * 100)),
    }))
    // The values are reset. Otherwise a stall at the start would remain the maximum for ever.
    delay.reset()
    return [
      gauge(
        'holdfast_ready',
        'Whether the process takes requests: 1, or 0 while it starts or stops, or if its database does not answer.',
        isReady(),
      ),
      {
        name: 'holdfast_event_loop_delay_seconds',
        kind: 'gauge',
        help: 'Delay of the event loop since the last request for metrics.',
        samples: quantiles,
      },
      counter('process_cpu_seconds_total', 'Processor time of user and system.', (user + system) / 1e6),
      gauge('process_resident_memory_bytes', 'Resident memory.', rss),
      gauge('nodejs_heap_size_used_bytes', 'Heap in use.', heapUsed),
      gauge(
        'process_start_time_seconds',
        'Start time of the process, in seconds since 1970.',
        Date.now() / 1_000 - process.uptime(),
      ),
    ]
  }
}

/** Returns the delay of a measuring timer, which fires after its own interval at the earliest. */
function late(nanoseconds: number): number {
  return Math.max(0, nanoseconds / NANOSECONDS - RESOLUTION_MS / 1_000)
}
