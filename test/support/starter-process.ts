import { execFile } from 'node:child_process'
import type { Answer, Question } from './starter.ts'

// The small process of starter.ts. It ends with the one that has started it.

process.on('message', ({ id, program, words, input, ...options }: Question) => {
  const child = execFile(program, words, { ...options, encoding: 'buffer' }, (error, stdout, stderr) => {
    const code = error === null ? 0 : (error.code ?? null)
    process.send?.({ id, code, stdout, stderr } satisfies Answer)
  })
  // A program may end before it has read everything.
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(input)
})
process.on('disconnect', () => process.exit())
