import module from 'node:module'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/** Starts a module on a separate thread, with Node's compile cache if this thread uses it: see `thread-entry.js`. */
export function startThread(entry: URL, options: Omit<WorkerOptions, 'argv'>): Worker {
  const cache = module.getCompileCacheDir() === undefined ? [] : ['cached']
  return new Worker(new URL('./thread-entry.js', import.meta.url), { ...options, argv: [entry.href, ...cache] })
}
