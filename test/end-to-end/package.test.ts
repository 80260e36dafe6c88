import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
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
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isEnough, NEEDED, nodeBeside, refusal } from '../../bin/on-node.js'
import packageJson from '../../package.json' with { type: 'json' }
import { ANALYSE_SCRIPT, apiHrefs, FONT_HREF, SCRIPT_HREF, STYLE_HREF } from '../../src/console/assets.ts'
import { putMigratedPglite } from '../support/migrated-pglite.ts'
import { isLong } from '../support/runs.ts'
import { startServerProcess, type ServerProcess } from '../support/server-process.ts'
import { plainEnvironment } from './fresh-clone.ts'

// The package as `npm pack` makes it, in an empty directory with the packages that it asks for and no others.

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PACKAGE = 'node_modules/holdfast'
const NODE_BESIDE = `node-${process.platform}-${process.arch}`
const run = promisify(execFile)

let directory: string
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'holdfast-package-'))
  const env = { ...plainEnvironment(), npm_config_loglevel: 'silent' }
  await run('npm', ['pack', '--pack-destination', directory], { cwd: ROOT, env })
  mkdirSync(join(directory, PACKAGE), { recursive: true })
  const words = ['-xzf', `holdfast-${packageJson.version}.tgz`, '--strip-components=1', '-C', PACKAGE]
  await run('tar', words, { cwd: directory })
  for (const name of Object.keys(packageJson.dependencies)) link(name)
})
afterAll(() => rm(directory, { recursive: true, force: true }))

function link(name: string): void {
  const path = join(directory, 'node_modules', name)
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules', name), path, 'dir')
}

interface Call {
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  readonly node?: readonly string[]
}

function command(line: string, { node = [], ...call }: Call = {}) {
  return ended([...node, join(directory, PACKAGE, 'bin/holdfast.js'), ...line.split(' ')], call)
}

async function ended(words: readonly string[], { cwd = directory, env = {} }: Call) {
  const place = { cwd, env: { ...plainEnvironment(), ...env } }
  return run(process.execPath, words, place).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
  )
}

/** Where this word stands, which is in code as in comments. */
function returnsIn(file: string): (readonly [line: number, column: number])[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.flatMap((line, row) => [...line.matchAll(/\breturn\b/g)].map(({ index }) => [row, index] as const))
}

function packedFiles(): string[] {
  const root = join(directory, PACKAGE)
  const found = readdirSync(root, { recursive: true, encoding: 'utf8' })
  return found.filter((path) => statSync(join(root, path)).isFile())
}

describe('what is in it', () => {
  it('is what a command, the server or an app reads: no other sources, no tests, documents or tools', () => {
    const files = packedFiles()
    // test/scripts/packages.test.ts looks at the declarations and at their sources.
    const others = files.filter((path) => !/\.d\.ts$|^dist\/source\//.test(path))
    expect(others.filter((path) => /\.ts$|(?:^|\/)test\/|\.test\.|codegen|^models/.test(path))).toEqual([])
    expect([...new Set(files.map((path) => path.split('/')[0]))].toSorted()).toEqual([
      'LICENSE',
      'README.md',
      'bin',
      'dist',
      'package.json',
    ])
    // Migrations, schemas, styles, scripts, fonts and licences, as they are.
    const read = globSync('{src,schemas}/**/*', { cwd: ROOT, exclude: ['src/codegen/**', '**/*.{ts,md}'] }).filter(
      (path) => statSync(join(ROOT, path)).isFile(),
    )
    const copies = files.filter(
      (path) => /^dist\/(?:src|schemas)\/.*$/.test(path) && existsSync(join(ROOT, path.slice(5))),
    )
    expect(copies.map((path) => path.slice(5)).toSorted()).toEqual(read.toSorted())
    expect(read.length).toBeGreaterThan(40)
  })

  it('finds all that it names', () => {
    const lost = packedFiles().flatMap((path) => {
      // Scripts of the console name each other by addresses.
      const text = /^dist\/(?!src\/console\/assets).*\.js$/.test(path)
        ? readFileSync(join(directory, PACKAGE, path), 'utf8')
        : ''
      const named = [...text.matchAll(/(?:\bfrom|\bimport|import\(|new URL\()\s*'(\.{1,2}\/[^']+\.\w+)'/g)]
      const folder = join(directory, PACKAGE, dirname(path))
      return named.filter(([, name = '']) => !existsSync(join(folder, name))).map(([, name]) => `${path}: ${name}`)
    })
    // The generator is asked for only where it is.
    expect(lost).toEqual(['dist/src/cli.js: ./codegen/generate.js', 'dist/src/cli.js: ./codegen/generate.js'])
  })

  it('has each word where the source has it, so that a stack trace names the place in the source', () => {
    for (const path of ['src/reconcile/run', 'src/lib/scan-json']) {
      const [made, source] = [join(directory, PACKAGE, 'dist', `${path}.js`), join(ROOT, `${path}.ts`)]
      expect(returnsIn(made)).toEqual(returnsIn(source))
    }
  })
})

describe('from an empty directory to an export, without optional packages', () => {
  let site: string
  let server: ServerProcess
  beforeAll(() => {
    site = join(directory, 'site')
  })
  afterAll(() => server.kill())

  it('says its version, and writes a repository of models that is valid', async () => {
    expect(await command('--version')).toEqual({ code: 0, stdout: `${packageJson.version}\n`, stderr: '' })
    expect((await command('init site')).stdout).toMatch(/^8 files written, 0 kept$/m)
    expect(await command('validate', { cwd: site })).toMatchObject({ code: 0, stdout: 'The models are valid.\n' })
  })

  it('serves, with the assets of the console', async () => {
    // To make a database takes as long as all else here; first-light.test.ts begins without one.
    if (!isLong) putMigratedPglite(join(site, '.holdfast'))
    const words = [join(directory, PACKAGE, 'bin/holdfast.js'), 'serve']
    server = await startServerProcess(words, { cwd: site, env: { ...plainEnvironment(), PORT: '0' } })
    // Their addresses have a digest of what they are.
    for (const href of [STYLE_HREF, SCRIPT_HREF, FONT_HREF, ANALYSE_SCRIPT, ...Object.values(apiHrefs() ?? {})])
      expect({ href, status: (await fetch(server.url + href)).status }).toEqual({ href, status: 200 })
  })

  it('plans, applies and exports', async () => {
    expect((await command('plan', { cwd: site })).stdout).toMatch(/^Plan: \d+ to create/m)
    const applied = await command('apply --yes', { cwd: site })
    expect(applied).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Applied: \d+ records created/m) })
    expect((await command('export', { cwd: site })).stdout).toContain('code: room-temperature')
    expect(await server.stop()).toBe(0)
  })

  it('has no generator, and says so', async () => {
    const { code, stderr } = await command('types')
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('works in the source of Holdfast, not in the package'),
    })
  })
})

describe('on a Node that is too old', () => {
  // Looks like Node 20 to the process itself, and not to those that it starts.
  const OLD = `
    if (!process.env.IS_INNER) Object.defineProperty(process, 'versions', { value: { node: '20.20.2' } })
    process.env.IS_INNER = '1'`
  const node = ['--import', `data:text/javascript,${encodeURIComponent(OLD)}`]

  it('says in one sentence which to get, before anything is loaded', async () => {
    expect(await command('plan', { node })).toEqual({ code: 1, stdout: '', stderr: refusal('20.20.2') })
    expect(refusal('20.20.2')).toMatch(/^Holdfast needs Node\.js [\d.]+ or newer, and this is 20\.20\.2: .+\n$/)
  })

  it('names the step that is missing in a fresh clone', async () => {
    const clone = join(directory, 'clone')
    cpSync(join(ROOT, 'bin'), join(clone, 'bin'), { recursive: true })
    cpSync(join(ROOT, 'scripts'), join(clone, 'scripts'), { recursive: true })
    cpSync(join(ROOT, 'package.json'), join(clone, 'package.json'))
    mkdirSync(join(clone, 'src'))
    writeFileSync(join(clone, 'src/cli.ts'), '')
    for (const script of ['scripts/run.js', 'scripts/new-enough.js']) {
      const { stderr } = await ended([...node, join(clone, script)], { cwd: clone })
      expect(stderr).toMatch(/^Holdfast needs Node\.js .+; or run "npm ci" first, which brings one along\.\n$/)
    }
  })

  it('uses the newer one that was installed beside it', async () => {
    const root = join(directory, 'node_modules', NODE_BESIDE)
    mkdirSync(join(root, 'bin'), { recursive: true })
    symlinkSync(process.execPath, join(root, 'bin/node'))
    writeFileSync(join(root, 'package.json'), '{ "version": "24.21.0" }')
    expect(await command('--version', { node })).toEqual({ code: 0, stdout: `${packageJson.version}\n`, stderr: '' })
    expect(await command('validate', { node, cwd: join(directory, 'site') })).toMatchObject({ code: 0 })
    // One that is too old itself would be started for ever.
    writeFileSync(join(root, 'package.json'), '{ "version": "18.0.0" }')
    expect(await command('--version', { node })).toMatchObject({ code: 1, stderr: refusal('20.20.2') })
  })

  it('is told from one that is new enough, as package.json says', () => {
    expect(packageJson.engines.node).toBe(`>=${NEEDED}`)
    const enough = ['14.21.3', '22.23.3', '24.6.0', '24.7.0', '24.21.0', '25.0.0', '26.1.0'].filter(isEnough)
    expect(enough).toEqual(['24.7.0', '24.21.0', '25.0.0', '26.1.0'])
    expect(nodeBeside('aix', 'ppc64')).toBeNull()
  })

  it('is spoken to by every script that people call', () => {
    const { plan, apply, validate, demo, start, holdfast } = packageJson.scripts
    for (const script of [plan, apply, validate, demo, start, holdfast])
      expect(script).toMatch(/node (\S+ )?scripts\/run\.js/)
    for (const name of ['types', 'test', 'test:long', 'typecheck', 'lint', 'format'] as const)
      expect(packageJson.scripts[name]).toMatch(/^node scripts\/new-enough\.js && /)
    // No option that an old Node does not know.
    expect(Object.values(packageJson.scripts).filter((script) => script.includes('--env-file'))).toEqual([])
  })
})
