import { execFile } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { checkPackages, checksums, makePackages, TARBALLS } from '../../scripts/packages.ts'

// The packages as a release has them, in apps that installed one of them under the name holdfast.

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const CONSUMER = join(ROOT, 'test/scripts/consumer')
const SAMPLE_APP = join(ROOT, 'docs/sample-app')
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')
const run = promisify(execFile)

/** The folder of each package, below the folder of an app. */
const INSTALLED = 'node_modules/holdfast'
const [SERVER, CLIENT] = TARBALLS

let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-packages-'))
  await makePackages(folder)
  for (const tarball of TARBALLS) await install(tarball)
}, 60_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

/** An import from a package, also on demand. */
const IMPORT = /(?:^(?:im|ex)port .* from |^\} from |\bimport\()(['"])([^.'"][^'"]*)\1/gm

interface Manifest {
  readonly exports: object
  readonly dependencies: { readonly [name: string]: string }
  readonly peerDependencies?: { readonly [name: string]: string }
}

/** The folder of an app with this package. */
function appWith(tarball: string): string {
  return join(folder, tarball.replace('.tgz', ''))
}

async function install(tarball: string): Promise<void> {
  const place = join(appWith(tarball), INSTALLED)
  mkdirSync(place, { recursive: true })
  writeFileSync(join(appWith(tarball), 'package.json'), '{ "type": "module" }')
  await run('tar', ['-xzf', join(folder, tarball), '--strip-components=1', '-C', place])
  const { dependencies, peerDependencies } = manifestOf(tarball)
  for (const name of Object.keys({ ...dependencies, ...peerDependencies })) link(name, appWith(tarball))
}

function link(name: string, app: string): void {
  const path = join(app, 'node_modules', name)
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules', name), path, 'dir')
}

function manifestOf(tarball: string): Manifest {
  return JSON.parse(contents(tarball, 'package.json')) as Manifest
}

function contents(tarball: string, path: string): string {
  return readFileSync(join(appWith(tarball), INSTALLED, path), 'utf8')
}

function filesOf(tarball: string): string[] {
  const root = join(appWith(tarball), INSTALLED)
  const found = readdirSync(root, { recursive: true, encoding: 'utf8' })
  return found.filter((path) => statSync(join(root, path)).isFile())
}

/** What the compiler says about a project; an empty text if it compiles. */
async function compile(project: string): Promise<string> {
  return run(process.execPath, [TSC, '--pretty', 'false'], { cwd: project }).then(
    () => '',
    ({ stdout }: { readonly stdout: string }) => stdout,
  )
}

describe.each(TARBALLS)('%s', (tarball) => {
  let app: string
  beforeAll(() => {
    app = appWith(tarball)
    cpSync(CONSUMER, join(app, 'consumer'), { recursive: true })
  })

  it('has types for apps that compile strictly, and that refuse what is wrong', async () => {
    expect(await compile(join(app, 'consumer'))).toBe('')
  })

  it('is imported by Node.js', async () => {
    const program = `
      import * as types from 'holdfast'
      import { connect } from 'holdfast/client'
      import plan from 'holdfast/schemas/plan.schema.json' with { type: 'json' }
      console.log(Object.keys(types).length, typeof connect, plan.title)`
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], { cwd: app })
    expect(stdout).toBe('0 function Plan\n')
  })

  it('leads editors from each declaration to its source', () => {
    const files = filesOf(tarball)
    const maps = files.filter((path) => path.endsWith('.d.ts.map'))
    expect(maps.length).toBeGreaterThan(6)
    expect(maps.map((path) => path.replace('.map', ''))).toEqual(files.filter((path) => path.endsWith('.d.ts')))
    for (const path of maps) {
      const { sources } = JSON.parse(contents(tarball, path)) as { sources: string[] }
      const expected = path.replace('dist/', 'dist/source/').replace('.d.ts.map', '.ts')
      expect(sources.map((source) => normalize(join(dirname(path), source)))).toEqual([expected])
      expect(files).toContain(expected)
    }
  })
})

it('publint and Are the Types Wrong find nothing in either package', { timeout: 60_000 }, async () => {
  const said = await checkPackages(folder)
  expect(said.match(/All good!/g)).toHaveLength(2)
  expect(said.match(/"holdfast(?:-client)?\/client"\n\nnode16 \(from ESM\): 🟢 \(ESM\)\nbundler: 🟢/g)).toHaveLength(2)
})

describe('the package for apps', () => {
  it('has the same files and exports as the other, without the server', () => {
    const shared = filesOf(CLIENT).filter((path) => path.startsWith('dist/'))
    expect(shared.filter((path) => contents(CLIENT, path) !== contents(SERVER, path))).toEqual([])
    expect(shared.filter((path) => /^dist\/src\/(?:server|platform|db|store|reconcile|console)\//.test(path))).toEqual(
      [],
    )
    expect(manifestOf(CLIENT).exports).toEqual(manifestOf(SERVER).exports)
  })

  it('depends on what its modules import, which is nothing of Node.js', () => {
    const { dependencies, peerDependencies } = manifestOf(CLIENT)
    expect(Object.keys(dependencies)).toEqual([
      '@graphql-typed-document-node/core',
      '@msgpack/msgpack',
      'eventsource-parser',
      'graphql-request',
    ])
    expect(peerDependencies).toEqual({ graphql: '^16.0.0' })
    const imported = filesOf(CLIENT)
      .filter((path) => /^dist\/(?!source\/).*\.(?:js|d\.ts)$/.test(path))
      .flatMap((path) => Array.from(contents(CLIENT, path).matchAll(IMPORT), ([, , name = '']) => name))
    expect([...new Set(imported)].toSorted()).toEqual([...Object.keys(dependencies), 'graphql'].toSorted())
  })
})

describe('the sample app', () => {
  beforeAll(() => {
    cpSync(SAMPLE_APP, join(appWith(CLIENT), 'sample-app'), { recursive: true })
    link('@types/node', appWith(CLIENT))
    link('undici-types', appWith(CLIENT))
  })

  it('asks for the package that "npm run packages" makes', () => {
    const { dependencies } = JSON.parse(readFileSync(join(SAMPLE_APP, 'package.json'), 'utf8')) as Manifest
    expect(dependencies).toEqual({ holdfast: `file:../../${CLIENT}` })
  })

  it('compiles strictly, and not with a typing mistake', async () => {
    const app = join(appWith(CLIENT), 'sample-app')
    expect(await compile(app)).toBe('')
    const main = join(app, 'src/main.ts')
    writeFileSync(
      main,
      readFileSync(main, 'utf8').replaceAll('room-control/room-temperature', 'room-control/temprature'),
    )
    expect(await compile(app)).toMatch(/^src\/main\.ts\(\d+,\d+\): error TS2345: .*'"room-control\/temprature"'/m)
  })
})

it('the checksums are those of both files', () => {
  expect(checksums(folder)).toMatch(/^[0-9a-f]{64}  holdfast-[\d.]+\.tgz\n[0-9a-f]{64}  holdfast-client-[\d.]+\.tgz\n$/)
  writeFileSync(join(folder, CLIENT), 'another')
  expect(checksums(folder)).toContain(`ae448ac86c4e8e4dec645729708ef41873ae79c6dff84eff73360989487f08e5  ${CLIENT}`)
  expect(packageJson.files).toEqual(['bin', 'dist'])
})
