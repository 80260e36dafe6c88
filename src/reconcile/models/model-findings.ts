import { NO_METADATA_RULES } from '../../documents/checks/metadata-rules.ts'
import { inOrder, locateDiagnostics } from '../../documents/locate-diagnostics.ts'
import { readDocument, type DocumentReading } from '../../documents/read/read-document.ts'
import type { Diagnostic } from '../../lib/diagnostic.ts'
import type { RecordTypeName } from '../../records/record-type.ts'
import type { Models } from './models.ts'

/** All findings that need no platform, with positions. */
export function findingsOf(models: Models): readonly Diagnostic[] {
  return snapshotOf(models).diagnostics
}

/** The records of the models, and these findings. */
export function snapshotOf(models: Models): Pick<DocumentReading, 'snapshot' | 'diagnostics'> {
  const { document, settings, diagnostics } = models
  // If a file could not be read, a reference to one of its records only looks wrong.
  const isUnread = (_: RecordTypeName, key: string) => models.mayBeUnread(key)
  const reading = readDocument(document, NO_METADATA_RULES, settings.access, isUnread)
  const news = reading.diagnostics.filter((finding) => models.isNews(finding))
  const found = inOrder([...diagnostics, ...locateDiagnostics(news, models)])
  return { snapshot: reading.snapshot, diagnostics: found }
}
