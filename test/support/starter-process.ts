import { execFile } from 'node:child_process'
import type { Answer, Question } from './starter.ts'

// The small process of starter.ts. It ends with its parent.

process.on('message', ({ id, program, words, input, ...options }: Question) => {
  const child = execFile(program, words, { ...options, encoding: 'buffer' }, (error, stdout, stderr) => {
    const code = error === null ? 0 : (error.code ?? null)
    process.send?.({ id, code, stdout, stderr } satisfies Answer)
  })
  // A program may end before it has read all input.
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(input)
})
process.on('disconnect', () => process.exit())
