// `npm run plan` and `npm run apply` work with the sample model on a fresh machine: every `${env:NAME}` of the models that
// is set nowhere gets a random value in `.env`, which stays out of Git and is never overwritten.
import { randomBytes } from 'node:crypto'
import { appendFileSync, chmodSync, existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { loadAll } from 'js-yaml'

// `$${env:NAME}` is a literal.
const REFERENCE = /(?<!\$)\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g

export function makeDemoSecrets(directory: string, env: { readonly [name: string]: string | undefined }): void {
  const file = join(directory, '.env')
  const written = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const known = { ...parseEnv(written), ...env }
  // A real platform gets real secrets: there an unset name has to stay an error.
  if (known['HOLDFAST_URL'] !== undefined) return
  const missing = referencedNames(join(directory, 'models')).filter((name) => known[name] === undefined)
  if (missing.length === 0) return
  append(file, written, missing)
  process.stderr.write(`Made demo secrets in .env: ${missing.join(', ')}\n`)
}

function referencedNames(models: string): string[] {
  const names = globSync(`${models}/**/*.{yaml,yml,json}`).flatMap((file) => namesIn(readFileSync(file, 'utf8')))
  return [...new Set(names)].sort()
}

/** Names in the values of a file, not those in its comments. A file that cannot be read is left to the plan to report. */
function namesIn(text: string): string[] {
  if (!text.includes('${env:')) return []
  return documentsIn(text).flatMap(stringsIn).flatMap(namesInValue)
}

function documentsIn(text: string): unknown[] {
  try {
    return loadAll(text)
  } catch {
    return []
  }
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

function namesInValue(value: string): string[] {
  return [...value.matchAll(REFERENCE)].flatMap(([, name]) => name ?? [])
}

function append(file: string, written: string, names: readonly string[]): void {
  const separator = written === '' || written.endsWith('\n') ? '' : '\n'
  const lines = names.map((name) => `${name}=${randomBytes(32).toString('base64url')}\n`)
  appendFileSync(file, separator + lines.join(''), { mode: 0o600 })
  chmodSync(file, 0o600)
}
