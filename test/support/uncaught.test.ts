import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { startServerProcess } from './server-process.ts'

const FAULTS = {
  'a rejection without a handler': `void Promise.reject(new Error('the fault'))`,
  'an emitter without a listener': `new (require('node:events'))().emit('error', new Error('the fault'))`,
  'the same in a thread': `new (require('node:worker_threads').Worker)(new URL('data:text/javascript,void Promise.reject(new Error("the fault"))')).on('error', () => process.exit())`,
  'one that the process survives': `process.on('uncaughtException', () => process.exit()); void Promise.reject(new Error('the fault'))`,
}

it.each(Object.entries(FAULTS))('a test fails where its server process has %s', async (_, fault) => {
  const program = `process.once('SIGTERM', () => { ${fault} })
    setInterval(() => undefined, 1_000); process.stderr.write('listening on nothing')`
  const server = await startServerProcess(['-e', program], { cwd: tmpdir(), env: { PATH: process.env['PATH'] } })
  await expect(server.stop()).rejects.toThrow('the fault')
})
