import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkPackages, checksums, makePackages, TARBALLS } from '../../scripts/packages.ts'
import { installPackage, linkPackage, type InstalledPackage, type Manifest } from '../support/installed-package.ts'

// The packages of a release, in apps that installed one of them.

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const CONSUMER = join(ROOT, 'test/scripts/consumer')
const SAMPLE_APP = join(ROOT, 'docs/sample-app')
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')
const run = promisify(execFile)

let folder: string
let server: InstalledPackage
let client: InstalledPackage
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-packages-'))
  await makePackages(folder)
  server = await installPackage(join(folder, TARBALLS[0]))
  client = await installPackage(join(folder, TARBALLS[1]))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The output of the compiler; an empty text if the project compiles. */
async function compile(project: string): Promise<string> {
  return run(process.execPath, [TSC, '--pretty', 'false'], { cwd: project }).then(
    () => '',
    ({ stdout }: { readonly stdout: string }) => stdout,
  )
}

describe.each([
  ['holdfast', () => server],
  ['holdfast-client', () => client],
])('%s', (_, installed) => {
  it('has types for apps that compile strictly, and that refuse mistakes', async () => {
    const { app } = installed()
    cpSync(CONSUMER, join(app, 'consumer'), { recursive: true })
    expect(await compile(join(app, 'consumer'))).toBe('')
  })

  it('is imported by Node.js', async () => {
    const program = `
      import * as types from 'holdfast'
      import { connect } from 'holdfast/client'
      import plan from 'holdfast/schemas/plan.schema.json' with { type: 'json' }
      console.log(Object.keys(types).length, typeof connect, plan.title)`
    const words = ['--input-type=module', '--eval', program]
    const { stdout } = await run(process.execPath, words, { cwd: installed().app })
    expect(stdout).toBe('0 function Plan\n')
  })

  it('leads editors from each declaration to its source', () => {
    const { files, read } = installed()
    const maps = files.filter((path) => path.endsWith('.d.ts.map'))
    expect(maps.length).toBeGreaterThan(6)
    expect(maps.map((path) => path.replace('.map', ''))).toEqual(files.filter((path) => path.endsWith('.d.ts')))
    for (const path of maps) {
      const { sources } = JSON.parse(read(path)) as { readonly sources: readonly string[] }
      const expected = path.replace('dist/', 'dist/source/').replace('.d.ts.map', '.ts')
      expect(sources.map((source) => normalize(join(dirname(path), source)))).toEqual([expected])
      expect(files).toContain(expected)
    }
  })
})

it('publint and Are the Types Wrong find nothing in either package', async () => {
  const said = await checkPackages(folder)
  expect(said.match(/All good!/g)).toHaveLength(2)
  expect(said.match(/"holdfast(?:-client)?\/client"\n\nnode16 \(from ESM\): 🟢 \(ESM\)\nbundler: 🟢/g)).toHaveLength(2)
})

/** An import from a package, also on demand. */
const IMPORT = /(?:^(?:im|ex)port .* from |^\} from |\bimport\()(['"])([^.'"][^'"]*)\1/gm

describe('the package for apps', () => {
  it('has the same files and exports as the other, without the server', () => {
    const shared = client.files.filter((path) => path.startsWith('dist/'))
    expect(shared.filter((path) => client.read(path) !== server.read(path))).toEqual([])
    expect(shared.filter((path) => /^dist\/src\/(?:server|platform|db|store|reconcile|console)\//.test(path))).toEqual(
      [],
    )
    expect(client.manifest.exports).toEqual(server.manifest.exports)
  })

  it('depends on what its modules import, which is nothing of Node.js', () => {
    const { dependencies, peerDependencies } = client.manifest
    expect(Object.keys(dependencies)).toEqual([
      '@graphql-typed-document-node/core',
      '@msgpack/msgpack',
      'eventsource-parser',
      'graphql-request',
    ])
    expect(peerDependencies).toEqual({ graphql: '^16.0.0' })
    const imported = client.files
      .filter((path) => /^dist\/(?!source\/).*\.(?:js|d\.ts)$/.test(path))
      .flatMap((path) => Array.from(client.read(path).matchAll(IMPORT), ([, , name = '']) => name))
    expect([...new Set(imported)].toSorted()).toEqual([...Object.keys(dependencies), 'graphql'].toSorted())
  })
})

describe('the sample app', () => {
  it('asks for the package that "npm run packages" makes', () => {
    const { dependencies } = JSON.parse(readFileSync(join(SAMPLE_APP, 'package.json'), 'utf8')) as Manifest
    expect(dependencies).toEqual({ holdfast: `file:../../${TARBALLS[1]}` })
  })

  it('compiles strictly, and not with a typing mistake', async () => {
    const app = join(client.app, 'sample-app')
    cpSync(SAMPLE_APP, app, { recursive: true })
    for (const name of ['@types/node', 'undici-types']) linkPackage(name, client.app)
    expect(await compile(app)).toBe('')
    const main = join(app, 'src/main.ts')
    writeFileSync(main, readFileSync(main, 'utf8').replace('room-control/room-temperature', 'room-control/temprature'))
    expect(await compile(app)).toMatch(/^src\/main\.ts\(\d+,\d+\): error TS2345: .*'"room-control\/temprature"'/m)
  })
})

it('the checksums are those of both files', () => {
  expect(checksums(folder)).toMatch(/^[0-9a-f]{64}  holdfast-[\d.]+\.tgz\n[0-9a-f]{64}  holdfast-client-[\d.]+\.tgz\n$/)
  writeFileSync(join(folder, TARBALLS[1]), 'another')
  expect(checksums(folder)).toContain(
    `ae448ac86c4e8e4dec645729708ef41873ae79c6dff84eff73360989487f08e5  ${TARBALLS[1]}`,
  )
})
