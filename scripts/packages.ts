// `npm run packages [-- FOLDER]` makes holdfast and holdfast-client, checks both, and writes their checksums. It publishes
// nothing: the workflow of releases does, in a job that runs nobody else's code.
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { $, tmpdir } from 'zx'
import packageJson from '../package.json' with { type: 'json' }
import { buildClientPackage, buildPackage } from './build-package.ts'

const ROOT = join(import.meta.dirname, '..')
const { name, version } = packageJson

/** The files of both packages. */
export const TARBALLS = [`${name}-${version}.tgz`, `${name}-client-${version}.tgz`] as const

export async function makePackages(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const [server, client] = [tmpdir(), tmpdir()]
  try {
    for (const path of ['LICENSE', 'README.md', 'bin', 'package.json'])
      cpSync(join(ROOT, path), join(server, path), { recursive: true })
    const built = join(server, 'dist')
    await buildPackage(built)
    buildClientPackage(built, client)
    for (const cwd of [server, client])
      await $({ cwd })`npm pack --ignore-scripts --pack-destination ${resolve(folder)}`
  } finally {
    for (const made of [server, client]) rmSync(made, { recursive: true, force: true })
  }
}

/** Reads the packages as Node.js, bundlers and TypeScript do, and fails if one finds fault. All modules are ES modules. */
export async function checkPackages(folder: string): Promise<string> {
  const run = $({ cwd: ROOT, preferLocal: true })
  const checks = TARBALLS.map((file) => join(folder, file)).map(async (file) => [
    await run`publint ${file} --strict`,
    await run`attw ${file} --profile esm-only`,
  ])
  return (await Promise.all(checks)).flat().join('\n')
}

/** The digests of the packages, as `sha256sum --check` reads them. */
export function checksums(folder: string): string {
  const digest = (file: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, file)))
      .digest('hex')
  return TARBALLS.map((file) => `${digest(file)}  ${file}\n`).join('')
}

if (import.meta.main) {
  const folder = resolve(process.argv[2] ?? '.')
  await makePackages(folder)
  const said = await checkPackages(folder)
  writeFileSync(join(folder, 'SHA256SUMS'), checksums(folder))
  process.stdout.write(`${said}\n${checksums(folder)}`)
}
