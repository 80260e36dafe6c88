import { readDocument } from '../../documents/read/read-document.ts'
import { isDiagnostic, type Diagnostic } from '../../lib/diagnostic.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { isObject } from '../../lib/json.ts'
import { recordType } from '../../records/registry.ts'
import { isRecordTypeName } from '../../records/record-type.ts'
import { PlatformError } from '../../client/platform-error.ts'
import type { Models } from './models.ts'
import { locateDiagnostics } from '../../documents/locate-diagnostics.ts'

type Read = Pick<Models, 'document' | 'diagnostics' | 'locate'>

/**
 * Adds the place and the reference to each secret that stopped an apply. The platform knows only the record. The
 * client knows which variable or file is missing.
 */
export function withMissingSecrets(error: unknown, models: Read): unknown {
  if (!(error instanceof HoldfastError) || !error.details.some(isMissingSecret)) return error
  const { snapshot } = readDocument(models.document)
  const pointerOf = ({ type, key }: MissingSecret) =>
    isRecordTypeName(type) ? (snapshot.get(type)?.records.get(key)?.pointer ?? null) : null
  const references = new Map(models.diagnostics.filter(isUnresolved).map(({ pointer, message }) => [pointer, message]))
  const found = error.details.filter(isMissingSecret).map((secret) => findingOf(secret, pointerOf(secret), references))
  const others = error.details.filter((detail) => !isMissingSecret(detail))
  const details = [...locateDiagnostics(found, models), ...others]
  return error instanceof PlatformError
    ? new PlatformError(error.code, error.message, { details, traceId: error.traceId })
    : new HoldfastError(error.code, error.message, { details, cause: error })
}

interface MissingSecret {
  readonly code: 'secret-not-resolved'
  readonly type: string
  readonly key: string
  readonly message: string
}

function isMissingSecret(detail: unknown): detail is MissingSecret {
  return isObject(detail) && detail['code'] === 'secret-not-resolved' && !isDiagnostic(detail)
}

function isUnresolved({ code }: Diagnostic): boolean {
  return code === 'unresolved-reference'
}

/** `references` maps the pointer of each unresolved reference in the models to the reference. */
function findingOf(
  secret: MissingSecret,
  record: string | null,
  references: ReadonlyMap<string, string>,
): MissingSecret & Diagnostic {
  const field = isRecordTypeName(secret.type) ? recordType(secret.type).secret : null
  const pointer = record === null ? '' : `${record}/${field}`
  const message = `${secret.type}/${secret.key}: ${references.get(pointer) ?? secret.message}`
  return { ...secret, severity: 'error', message, pointer }
}
