import type { Severity } from '../../lib/diagnostic.ts'
import { isObject } from '../../lib/json.ts'
import { GENERATED, standsForSecret } from '../../records/secret.ts'
import { splitReferences, type Piece, type Reference } from '../checks/value-references.ts'
import { textProblem } from '../checks/text-checks.ts'

/** Resolves `${env:NAME}` and `${file:PATH}`; undefined if there is no such value. */
export interface ReferenceResolver {
  env(name: string): string | undefined
  /** `path` is as written, and `from` is the file that contains the reference. */
  file(path: string, from: string): string | undefined
}

type Container = unknown[] | { [key: string]: unknown }
export type Path = readonly (string | number)[]

/** A finding about a value of a parsed file. */
export interface ValueFinding {
  readonly severity: Severity
  readonly code: string
  readonly message: string
  readonly path: Path
}

export interface Interpolation {
  readonly resolver: ReferenceResolver
  /** The path of the file whose values are resolved. */
  readonly file: string
  /** Tells whether the value at a path is a secret. A reference that is a complete secret may stay unresolved. */
  isSecret(path: Path): boolean
  readonly findings: ValueFinding[]
  /** Is called for each reference. */
  use(reference: Reference, path: Path, isSecret: boolean): void
}

/** Replaces the references in all text values below `container`, in place. */
export function interpolate(container: Container, interpolation: Interpolation, path: Path = []): void {
  if (Array.isArray(container))
    for (const index of container.keys()) container[index] = resolveMember(container[index], index, interpolation, path)
  else
    for (const key of Object.keys(container)) container[key] = resolveMember(container[key], key, interpolation, path)
}

function resolveMember(value: unknown, key: string | number, interpolation: Interpolation, path: Path): unknown {
  if (typeof value === 'string') return value.includes('${') ? resolveText(value, interpolation, [...path, key]) : value
  if (Array.isArray(value) || isObject(value)) interpolate(value, interpolation, [...path, key])
  return value
}

function resolveText(text: string, interpolation: Interpolation, path: Path): string {
  const secret = interpolation.isSecret(path)
  const pieces = splitReferences(text)
  for (const piece of pieces) if (piece.kind === 'reference') interpolation.use(piece, path, secret)
  const [first] = pieces
  if (secret && pieces.length === 1 && first?.kind === 'generated') return text
  if (secret && pieces.length === 1 && first?.kind === 'reference' && lookUp(first, interpolation) === undefined) {
    report(interpolation, path, 'unresolved-reference', unresolvedMessage(first, ' before the apply'), 'warning')
    return text
  }
  const resolved = pieces.map((piece) => resolvePiece(piece, interpolation, path, secret)).join('')
  // The platform would interpret a secret of this form as an unresolved reference.
  if (secret && standsForSecret(resolved)) {
    report(
      interpolation,
      path,
      'looks-like-reference',
      'the secret itself has the form of a reference; choose another one.',
    )
  }
  return resolved
}

function resolvePiece(piece: Piece, interpolation: Interpolation, path: Path, secret: boolean): string {
  if (piece.kind === 'text') return piece.text
  if (piece.kind === 'malformed') {
    report(interpolation, path, 'malformed-reference', malformedMessage(piece.written, secret))
    return ''
  }
  if (piece.kind === 'generated') {
    report(interpolation, path, 'malformed-reference', secret ? ONLY_WHOLE : ONLY_FOR_SECRETS)
    return ''
  }
  const found = lookUp(piece, interpolation)
  if (found === undefined) {
    report(interpolation, path, 'unresolved-reference', unresolvedMessage(piece))
    return ''
  }
  const problem = textProblem(found)
  if (problem !== null) report(interpolation, path, problem.code, `the value of ${piece.written} ${problem.message}`)
  return found
}

const ONLY_WHOLE = `${GENERATED} must be the whole secret; remove the text around it.`
const ONLY_FOR_SECRETS = `${GENERATED} is only for secrets; write $${GENERATED} for this text itself.`

/** Resolves a reference. Removes the newline at a file's end, which editors add and which is not part of the value. */
function lookUp({ scheme, name }: Reference, { resolver, file }: Interpolation): string | undefined {
  return scheme === 'env' ? resolver.env(name) : resolver.file(name, file)?.replace(/\r?\n$/, '')
}

function report(
  { findings }: Interpolation,
  path: Path,
  code: string,
  message: string,
  severity: Severity = 'error',
): void {
  findings.push({ severity, code, message, path })
}

function malformedMessage(written: string, secret: boolean): string {
  const shown = written.length > 60 ? `${written.slice(0, 60)}…` : written
  return `${secret ? 'this' : shown} is not a reference: write \${env:NAME} or \${file:PATH}, or $\${ for a literal \${.`
}

function unresolvedMessage({ scheme, name, written }: Reference, when = ''): string {
  const advice = scheme === 'env' ? `set the environment variable ${name}` : `make the file ${name} readable`
  return `${written} cannot be resolved; ${advice}${when}.`
}
