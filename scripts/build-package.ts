// `npm pack` and `npm publish` begin with this: the tree of the sources once more, as JavaScript that Node also runs below
// node_modules. Types are replaced by blanks, so that a place in a stack trace is that of the source, without a source map.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync, globSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import { copyName, GRAPHIQL_FILES, installedPath } from '../src/console/graphiql-files.ts'
import { ownSource } from '../src/reconcile/init/workflow-text.ts'

const ROOT = join(import.meta.dirname, '..')

/**
 * The code generator is for those who change Holdfast, and needs packages that only they have. Servers write their own
 * OpenAPI document.
 */
const LEFT_OUT = ['src/codegen/**', 'generated/openapi.json']

/** Texts that name a module beside this one, in imports and in what starts threads. */
const BESIDE = /(?<=(['"])\.{1,2}\/[^'"\s]*)\.ts(?=\1)/g

export async function buildPackage(target: string): Promise<void> {
  rmSync(target, { recursive: true, force: true })
  for (const path of files()) write(path, target)
  declareTypes(target)
  copyGraphiql(join(target, 'src/console/graphiql'))
  const { name, version, type } = packageJson
  // The workflows that "init" writes use the commit that the package is of.
  const action = await ownSource(process.env)
  writeFileSync(join(target, 'package.json'), `${JSON.stringify({ name, version, type, action }, null, 2)}\n`)
}

function files(): string[] {
  const found = globSync('{src,generated,schemas}/**/*', { cwd: ROOT, exclude: LEFT_OUT })
  return found.filter((path) => statSync(join(ROOT, path)).isFile() && !/\.(?:d\.[cm]?ts|md)$/.test(path))
}

function write(path: string, target: string): void {
  const file = join(target, path.replace(/\.ts$/, '.js'))
  mkdirSync(dirname(file), { recursive: true })
  if (path.endsWith('.ts')) writeFileSync(file, javaScriptOf(readFileSync(join(ROOT, path), 'utf8')))
  else cpSync(join(ROOT, path), file)
}

/** The page of the API needs these files alone, and not the packages that they are built from. */
function copyGraphiql(target: string): void {
  for (const file of GRAPHIQL_FILES) {
    const path = installedPath(file)
    if (path === null) throw new Error(`the package ${file.package} is missing; run "npm ci"`)
    cpSync(path, join(target, copyName(file)))
  }
}

function javaScriptOf(source: string): string {
  return stripTypeScriptTypes(source).replaceAll(BESIDE, '.js')
}

/** Declares the types of what apps import. Maps lead editors from a declaration to its source, which is added for them. */
function declareTypes(target: string): void {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
  const words = ['--project', join(ROOT, 'tsconfig.package.json'), '--outDir', resolve(target)]
  execFileSync(process.execPath, [compiler, ...words], { stdio: 'inherit' })
  for (const path of declaredModules(target)) {
    const file = join(target, `${path}.d.ts`)
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(BESIDE, '.js'))
    const source = join(target, 'source', `${path}.ts`)
    cpSync(join(ROOT, `${path}.ts`), source)
    const map = JSON.parse(readFileSync(`${file}.map`, 'utf8')) as object
    writeFileSync(`${file}.map`, JSON.stringify({ ...map, sources: [relative(dirname(file), source)] }))
  }
}

/** The modules that apps import, and those that these import. */
function declaredModules(built: string): string[] {
  return globSync('**/*.d.ts', { cwd: built }).map((path) => path.slice(0, -'.d.ts'.length))
}

/** Makes the package for apps from a built one: the same modules and schemas under the same names, without the server. */
export function buildClientPackage(built: string, target: string): void {
  const modules = declaredModules(built).flatMap((path) => [`${path}.js`, `${path}.d.ts`])
  const others = declaredModules(built).flatMap((path) => [`${path}.d.ts.map`, `source/${path}.ts`])
  for (const path of [...modules, ...others, 'schemas'])
    cpSync(join(built, path), join(target, 'dist', path), { recursive: true })
  cpSync(join(ROOT, 'LICENSE'), join(target, 'LICENSE'))
  cpSync(join(ROOT, 'scripts/client-package.md'), join(target, 'README.md'))
  const manifest = clientManifest(importedPackages(modules.map((path) => readFileSync(join(built, path), 'utf8'))))
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

/** Modules of packages, as texts import them. */
const OTHERS = /(?:\bfrom|\bimport|\bimport\()\s*(['"])((?:@[\w.-]+\/)?[\w:.-]+)[^'"]*\1/g

function importedPackages(texts: readonly string[]): string[] {
  const names = texts.flatMap((text) => Array.from(text.matchAll(OTHERS), ([, , name = '']) => name))
  return [...new Set(names)].filter((name) => !name.startsWith('.')).sort()
}

/** Ranges instead of versions, so that an app has one copy of each. An app that has its own graphql gets no other. */
function clientManifest(imported: readonly string[]) {
  const { name, version, license, type, exports, dependencies, ...rest } = packageJson
  const versions = new Map(Object.entries(dependencies))
  const unknown = imported.filter((other) => !versions.has(other))
  if (unknown.length > 0) throw new Error(`the client imports ${unknown.join(', ')}, which is in no dependencies`)
  const ranges = imported.filter((other) => other !== 'graphql').map((other) => [other, `^${versions.get(other)}`])
  return {
    name: `${name}-client`,
    version,
    description: 'The types of Holdfast, and a client for Node.js and browsers',
    license,
    ...('repository' in rest && { repository: rest.repository }),
    type,
    sideEffects: false,
    // Iterator helpers are the newest that its modules use.
    engines: { node: '>=22' },
    files: ['dist'],
    exports,
    dependencies: Object.fromEntries(ranges),
    peerDependencies: { graphql: '^16.0.0' },
  }
}

if (import.meta.main) await buildPackage(process.argv[2] ?? 'dist')
