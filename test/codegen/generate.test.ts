import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { staleFiles } from '../../src/codegen/emitter.ts'
import { EMITTERS, generate } from '../../src/codegen/generate.ts'

const REPOSITORY = new URL('../../', import.meta.url)

let directory: string
let root: URL

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'holdfast-codegen-'))
  root = pathToFileURL(`${directory}/`)
})

afterAll(() => rm(directory, { recursive: true }))

test('what is committed is what would be generated', async () => {
  expect(await staleFiles(EMITTERS, REPOSITORY)).toEqual([])
})

test('missing files are stale, are written, and are up to date then', async () => {
  const paths = EMITTERS.map(({ path }) => path)
  expect(await staleFiles(EMITTERS, root)).toEqual(paths)
  expect(await run([])).toEqual({ code: 0, output: [`wrote ${paths.join(', ')}`] })
  expect(await run(['--check'])).toEqual({ code: 0, output: [] })
  expect(await run([])).toEqual({ code: 0, output: ['generated/ is up to date'] })
})

test.each(EMITTERS)('a second run gives the same bytes: $path', async ({ emit }) => {
  expect(await emit()).toBe(await emit())
})

test('a file that was edited by hand fails the check, by name and with what to do', async () => {
  await run([])
  const file = new URL('generated/record-types.md', root)
  await writeFile(file, `${await readFile(file, 'utf8')} edited`)
  expect(await run(['--check'])).toEqual({
    code: 1,
    output: ['generated/record-types.md is out of date: run "npm run types" and commit the result'],
  })
})

test('an unknown option is refused', async () => {
  expect(await run(['--chek'])).toEqual({ code: 1, output: ['unknown option --chek: only --check is known'] })
})

async function run(options: string[]): Promise<{ code: number; output: string[] }> {
  const output: string[] = []
  const code = await generate(options, root, (text) => output.push(text))
  return { code, output }
}
