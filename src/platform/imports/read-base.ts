import type { Sql } from '../../db/sql.ts'
import { baseFrom } from '../../documents/base-document.ts'
import type { DocumentReading } from '../../documents/read/read-document.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { isObject } from '../../lib/json.ts'
import type { BaseDocument } from '../../plan/make-plan.ts'
import { readImport, readSettings } from './read-import.ts'

/** A base as it was sent: how it differs from the document, and its settings. */
export interface SentBase {
  readonly document: unknown
  readonly settings: unknown
}

/**
 * Reads the document that another one is a change of. It must be one that could be planned itself, for otherwise it is
 * not known what the change is.
 */
export async function readBase(
  sql: Sql,
  domainId: number,
  document: unknown,
  sent: unknown,
): Promise<BaseDocument & Pick<DocumentReading, 'snapshot'>> {
  const base = isObject(sent) ? baseFrom(document, sent['document']) : null
  if (!isObject(sent) || base === null) throw notABase()
  const { access, moved, acknowledge } = readSettings(sent['settings'] ?? {})
  const { snapshot } = await readImport(sql, domainId, base, access).catch((error: unknown) => {
    throw withoutPlaces(error)
  })
  return { snapshot, moved, acknowledge }
}

function notABase(): HoldfastError {
  return new HoldfastError(
    'BAD_USER_INPUT',
    'base: give an object with document, the lists of record types that differ as {without: [places], with: [records]} or null, and settings',
  )
}

/** The places of the findings are those of the base, of which the sender shows no files. */
function withoutPlaces(error: unknown): unknown {
  if (!(error instanceof HoldfastError) || error.code !== 'BAD_USER_INPUT') return error
  const details = error.details.map((detail) => (isObject(detail) ? { ...detail, pointer: '' } : detail))
  return new HoldfastError(
    'BAD_USER_INPUT',
    `the base is wrong itself, so what differs from it is not known: ${error.message}`,
    {
      details,
    },
  )
}
