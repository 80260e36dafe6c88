import type { Sql } from '../../../db/sql.ts'
import { baseFrom } from '../../../documents/base-document.ts'
import { readDocument } from '../../../documents/read/read-document.ts'
import { hasErrors, type Diagnostic } from '../../../lib/diagnostic.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import { isObject } from '../../../lib/json.ts'
import type { Base } from '../../../plan/own/own-part.ts'
import { liveMetadataRules } from './live-domain.ts'
import { readSettings } from './read-import.ts'

/** A base; null where it is wrong itself, so that it is not known what the change is. */
export async function readBase(sql: Sql, domainId: number, document: unknown, sent: unknown): Promise<Base | null> {
  const base = isObject(sent) ? baseFrom(document, sent['document']) : null
  if (!isObject(sent) || base === null) throw notABase()
  const { access, moved, acknowledge } = readSettings(sent['settings'] ?? {})
  const rules = await liveMetadataRules(sql, domainId)
  const { snapshot, diagnostics } = readDocument(base, rules, access)
  return hasErrors(diagnostics) ? null : { snapshot, moved, acknowledge }
}

/** The finding where everything is planned, since the base is wrong itself. */
export const WRONG_BASE: Diagnostic = {
  severity: 'warning',
  code: 'no-base',
  message:
    'the base models have errors, so the changes against them are unknown; the plan covers everything that differs between the models and the platform',
  pointer: '',
}

function notABase(): HoldfastError {
  return new HoldfastError(
    'BAD_USER_INPUT',
    'base: give an object with document, the lists of record types that differ as {without: [places], with: [records]} or null, and settings',
  )
}
