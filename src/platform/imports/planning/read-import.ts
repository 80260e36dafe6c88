import validators from '../../../../generated/validators.cjs'
import schema from '../../../../schemas/settings.schema.json' with { type: 'json' }
import type { Sql } from '../../../db/sql.ts'
import { readDocument, type DocumentReading } from '../../../documents/read/read-document.ts'
import { settingsOf } from '../../../documents/read/settings-file.ts'
import { hasErrors } from '../../../lib/diagnostic.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import type { LiveState } from '../../../plan/live-state.ts'
import { schemaDiagnostics } from '../../../records/schema-findings/schema-error.ts'
import { NO_SETTINGS, type Settings } from '../../../records/settings.ts'
import { liveMetadataRules } from './live-domain.ts'

/**
 * Validates a document that a client sent, and the grants of its settings. The error for a document lists all its
 * errors. In the meantime the database reads the index of `live`.
 */
export async function readImport(
  sql: Sql,
  domainId: number,
  document: unknown,
  access?: Settings['access'],
  live?: Pick<LiveState, 'index'>,
): Promise<DocumentReading> {
  const rules = await liveMetadataRules(sql, domainId)
  // The next caller of `index` gets the error.
  live?.index().catch(() => {})
  const reading = readDocument(document, rules, access)
  if (hasErrors(reading.diagnostics)) {
    const errors = reading.diagnostics.filter(({ severity }) => severity === 'error').length
    const message = `the import document has ${errors} error${errors === 1 ? '' : 's'}; nothing was planned`
    throw new HoldfastError('BAD_USER_INPUT', message, { details: reading.diagnostics })
  }
  return reading
}

/** Reads the settings. Without any, an import concerns the types of its document (specification, section 1). */
export function readSettings(settings: unknown, isPartial = settings === undefined || settings === null): Settings {
  const decided = readDecisions(settings)
  return isPartial ? { ...decided, isPartial } : decided
}

function readDecisions(settings: unknown): Settings {
  if (settings === undefined || settings === null) return NO_SETTINGS
  if (!validators.settings(settings)) {
    const details = schemaDiagnostics(validators.settings.errors ?? [], settings, schema)
    throw new HoldfastError('BAD_USER_INPUT', 'the settings are not valid', { details })
  }
  return settingsOf(settings)
}
