import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { workspace } from '../reconcile/workspace.ts'
import { placeOnAny, SERVER_PROGRAM, startServerAt } from '../support/data-place.ts'
import { operatorToken } from '../support/password-token.ts'
import { BEFORE } from './commands.ts'
import { ended } from './fresh-clone.ts'

// A real SIGINT: the command ends with 130 and says what was done, and what was not.

const CLI = fileURLToPath(new URL('../../bin/holdfast.js', import.meta.url))
const WATCH = fileURLToPath(new URL('../faults/apply-watch.ts', import.meta.url))

function start(line: string, url: string, token: string) {
  const cwd = workspace({ 'models/a.json': BEFORE })
  const env = { PATH: process.env['PATH'], HOLDFAST_TOKEN: token }
  const child = spawn(process.execPath, [CLI, ...line.split(' '), '--url', url], { cwd, env })
  return { child, ended: ended(child) }
}

it.each([
  ['plan', 'Interrupted: nothing was changed on the platform.\n'],
  ['apply --yes', 'Interrupted before anything was applied: nothing was changed on the platform.\n'],
])('%s, while it waits for the plan', async (line, text) => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const asked = once(server, 'request')
  const command = start(line, `http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'token')
  await asked
  command.child.kill('SIGINT')
  expect(await command.ended).toMatchObject({ code: 130, stdout: '', stderr: text })
  server.closeAllConnections()
  server.close()
})

it('apply, while the platform applies', async () => {
  const place = await placeOnAny()
  const server = await startServerAt(place, { PAUSE_AT: '2' }, ['--import', WATCH, SERVER_PROGRAM])
  const command = start('apply --yes', server.url, await operatorToken(server.url, place.directory))
  while (!server.written().includes('apply paused')) await server.said()
  command.child.kill('SIGINT')
  const { code, stderr } = await command.ended
  expect(code).toBe(130)
  expect(stderr).toBe(
    'Interrupted while applying: "history" shows whether the apply took place; it is all or nothing.\n',
  )
  await server.kill()
  await place.remove()
})
