// `npm pack` and `npm publish` begin with this: the tree of the sources once more, as JavaScript that Node also runs below
// node_modules. Types are replaced by blanks, so that a place in a stack trace is that of the source, without a source map.
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync, globSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import { copyName, GRAPHIQL_FILES, installedPath } from '../src/console/graphiql-files.ts'
import { ownSource } from '../src/reconcile/init/workflow-text.ts'

const ROOT = join(import.meta.dirname, '..')

/** The code generator is for those who change Holdfast, and needs packages that only they have. */
const LEFT_OUT = ['src/codegen/**']

/** Texts that name a module beside this one, in imports and in what starts threads. */
const BESIDE = /(?<=(['"])\.{1,2}\/[^'"\s]*)\.ts(?=\1)/g

export async function buildPackage(target: string): Promise<void> {
  rmSync(target, { recursive: true, force: true })
  for (const path of files()) write(path, target)
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

if (import.meta.main) await buildPackage(process.argv[2] ?? 'dist')
