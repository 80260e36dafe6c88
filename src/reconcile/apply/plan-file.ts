import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import validators from '../../../generated/validators.cjs'
import type { Diagnostic } from '../../lib/diagnostic.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { isObject } from '../../lib/json.ts'
import type { Plan } from '../../plan/plan.ts'
import { schemaDiagnostics } from '../../records/schema-findings/schema-error.ts'
import { withFile, writeWhole } from '../file-error.ts'

/** The plan for scripts and for `apply FILE` (`schemas/plan.schema.json`). */
export function planJson(plan: Plan): string {
  return `${JSON.stringify({ ...plan, diagnostics: plan.diagnostics.map(diagnosticJson) }, null, 2)}\n`
}

/** Leaves out related positions, which the format does not have. */
function diagnosticJson({ severity, code, message, file, line, column, pointer }: Diagnostic) {
  return { severity, code, message, file, line, column, pointer }
}

/**
 * Writes the plan to a file that only its owner can read, because a plan shows data of the platform. It replaces an
 * earlier plan, and refuses to replace any other file. Returns whether there was an earlier plan.
 */
export async function writePlan(plan: Plan, file: string, cwd: string): Promise<boolean> {
  const path = resolve(cwd, file)
  const before = await withFile('read', `--out ${file}`, () => readExisting(path))
  if (before !== null && !isPlanText(before))
    throw new HoldfastError('BAD_USER_INPUT', `--out ${file} exists and is no plan; name another file, or remove it`)
  await withFile('write', `--out ${file}`, () => writeWhole(path, planJson(plan), 0o600))
  return before !== null
}

/** The text of a file; null if it does not exist or is not a regular file, such as /dev/stdout. */
async function readExisting(path: string): Promise<string | null> {
  const found = await stat(path).catch(() => null)
  return found?.isFile() === true ? readFile(path, 'utf8') : null
}

/** Accepts an empty file, too, because mktemp makes one. */
function isPlanText(text: string): boolean {
  return text === '' || /^\{\s*"formatVersion"/.test(text)
}

/** `-` is standard input. */
export async function readPlan(file: string, cwd: string): Promise<Plan> {
  // Opening /dev/stdin fails on Windows, and if standard input is a socket.
  const read = () => (file === '-' ? textOf(process.stdin) : readFile(resolve(cwd, file), 'utf8'))
  const text = await withFile('read the plan', file, read)
  const value = parseJson(text, file)
  const version = isObject(value) ? value['formatVersion'] : undefined
  if (version === undefined) throw noPlan(file, 'it has no formatVersion')
  if (typeof version === 'number' && version !== 1) {
    throw new HoldfastError(
      'BAD_USER_INPUT',
      `${file}: this plan has format version ${version}, and only 1 is known here; plan again`,
    )
  }
  if (validators.plan(value)) return value
  const found = schemaDiagnostics(validators.plan.errors ?? [], value)
  throw noPlan(
    file,
    'these values are wrong',
    found.map((one) => ({ ...one, file })),
  )
}

function noPlan(file: string, reason: string, details: readonly Diagnostic[] = []): HoldfastError {
  const message = `${file} is no plan, because ${reason}; "holdfast plan --out FILE" writes one`
  return new HoldfastError('BAD_USER_INPUT', message, { details })
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw noPlan(file, 'it is not JSON')
  }
}
