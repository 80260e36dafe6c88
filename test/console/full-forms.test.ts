import { expect, it } from 'vitest'
import { OPERATOR, startConsoleServer } from '../support/console-server.ts'
import { consoleVisitor } from '../support/console-visitor.ts'

it('a form of somebody whose other bodies take all the room is not read', async () => {
  const server = await startConsoleServer({ limits: { requestsBytesOfAccount: 0 } })
  try {
    const operator = await consoleVisitor(server, OPERATOR)
    const files = new FormData()
    files.set('document', new Blob(['services: []']), 'a.yaml')
    const answers = await Promise.all([
      operator.post('/users/new', { email: 'a@b.example' }),
      operator.upload('/plans/new', files),
    ])
    for (const { status, text } of answers) {
      expect(status).toBe(503)
      expect(text).toContain('try again in a moment')
    }
  } finally {
    await server.close()
  }
})
