import { parentPort } from 'node:worker_threads'
import { foldChunks, foldFlushes } from './fold-points.ts'
import type { FoldAnswer, FoldRequest } from './fold-thread.ts'

parentPort?.on('message', (request: FoldRequest) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(answer(request))
})

function answer({ id, flushes, chunks, staying }: FoldRequest): FoldAnswer {
  try {
    return { id, folded: flushes === undefined ? foldChunks(chunks ?? [], staying) : foldFlushes(flushes) }
  } catch (error) {
    return { id, error: error instanceof Error ? error : new Error(String(error)) }
  }
}
