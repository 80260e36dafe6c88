import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { workerData, type MessagePort } from 'node:worker_threads'
import type { Answer, Question } from './starter.ts'

// Passes the requests of starter.ts to its process. It works even while the thread of the tests blocks for an answer.

const { port, bell } = workerData as { readonly port: MessagePort; readonly bell: Int32Array<SharedArrayBuffer> }

const program = fileURLToPath(new URL('./starter-process.ts', import.meta.url))
const starter = fork(program, { serialization: 'advanced', execArgv: [] })
starter.on('message', (answer: Answer) => {
  port.postMessage(answer)
  Atomics.add(bell, 0, 1)
  Atomics.notify(bell, 0)
})
port.on('message', (question: Question) => void starter.send(question))
