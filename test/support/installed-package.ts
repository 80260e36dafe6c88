import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export interface Manifest {
  readonly exports: object
  readonly dependencies: { readonly [name: string]: string }
  readonly peerDependencies?: { readonly [name: string]: string }
}

/** A package in an app of its own, under the name holdfast, with the packages that it asks for and no others. */
export interface InstalledPackage {
  /** The folder of the app. */
  readonly app: string
  readonly manifest: Manifest
  readonly files: readonly string[]
  read(path: string): string
}

export async function installPackage(tarball: string): Promise<InstalledPackage> {
  const app = tarball.replace(/\.tgz$/, '')
  const root = join(app, 'node_modules/holdfast')
  mkdirSync(root, { recursive: true })
  writeFileSync(join(app, 'package.json'), '{ "type": "module" }')
  await promisify(execFile)('tar', ['-xzf', tarball, '--strip-components=1', '-C', root])
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const manifest = JSON.parse(read('package.json')) as Manifest
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })) linkPackage(name, app)
  const found = readdirSync(root, { recursive: true, encoding: 'utf8' })
  return { app, manifest, files: found.filter((path) => statSync(join(root, path)).isFile()), read }
}

/** Lends a package of this repository to an app. */
export function linkPackage(name: string, app: string): void {
  const path = join(app, 'node_modules', name)
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules', name), path, 'dir')
}
