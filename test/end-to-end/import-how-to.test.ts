import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import validators from '../../generated/validators.cjs'
import { startTestServer, TOKEN, type TestServer } from '../server/test-server.ts'
import { ANY_DATABASE } from '../support/databases.ts'
import { allBlocks } from './markdown.ts'
import { hasCurl, likeShown, outputsOf } from './shell-blocks.ts'

const BLOCKS = allBlocks(readFileSync(new URL('../../docs/how-to/import-without-git.md', import.meta.url), 'utf8'))
const COMMANDS = BLOCKS.filter(({ language }) => language === 'sh').map(({ text }) => text)

let server: TestServer
let cwd: string
beforeAll(async () => {
  server = await startTestServer(await ANY_DATABASE.openMigrated())
  cwd = mkdtempSync(join(tmpdir(), 'holdfast-import-'))
})
afterAll(async () => {
  await server.close()
  rmSync(cwd, { recursive: true })
})

it.skipIf(!hasCurl)('docs/how-to/import-without-git.md does what it says (needs curl)', async () => {
  const outputs = await outputsOf(COMMANDS, { cwd, variables: { HOLDFAST_URL: server.url, TOKEN } })
  const [, , text = '', , applied = ''] = outputs
  expect(text).toMatch(/\+ weather\n[^]*Apply it: send the document again with \?apply=sha256:[0-9a-f]{64}\n/)
  expect(validators.plan(JSON.parse(readFileSync(join(cwd, 'plan.json'), 'utf8')))).toBe(true)
  const shown: unknown = JSON.parse(BLOCKS.find(({ language }) => language === 'json')?.text ?? '')
  // Of its scope only one row is shown.
  expect(likeShown(JSON.parse(applied), shown)).toMatchObject(shown as object)
  expect(JSON.parse(readFileSync(join(cwd, 'again.json'), 'utf8'))).toStrictEqual(JSON.parse(applied))
})
