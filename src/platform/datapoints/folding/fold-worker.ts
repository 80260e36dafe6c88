import { parentPort } from 'node:worker_threads'
import { DamagedPoints } from '../damaged-points.ts'
import { foldBlock, foldChunks, foldFlushes, type FoldedPoints } from './fold-points.ts'
import type { FoldAnswer, FoldRequest, FoldWork } from './fold-thread.ts'

parentPort?.on('message', (request: FoldRequest) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(answer(request))
})

function answer({ id, work }: FoldRequest): FoldAnswer {
  try {
    return { id, folded: fold(work) }
  } catch (error) {
    if (error instanceof DamagedPoints) return { id, damaged: error.message }
    return { id, error: error instanceof Error ? error : new Error(String(error)) }
  }
}

function fold(work: FoldWork): FoldedPoints {
  if ('flushes' in work) return foldFlushes(work)
  return 'block' in work ? foldBlock(work.block, work.place) : foldChunks(work.chunks, work.raised, work.staying)
}
