import { NO_METADATA_RULES } from '../../documents/checks/metadata-rules.ts'
import { inOrder, locateDiagnostics } from '../../documents/locate-diagnostics.ts'
import { readDocument } from '../../documents/read/read-document.ts'
import type { Diagnostic } from '../../lib/diagnostic.ts'
import type { RecordTypeName } from '../../records/record-type.ts'
import type { Models } from './models.ts'

/** All findings that need no platform, with positions. */
export function findingsOf(models: Models): readonly Diagnostic[] {
  const { document, settings, diagnostics } = models
  // If a file could not be read, a reference to one of its records only looks wrong.
  const isUnread = (_: RecordTypeName, key: string) => models.mayBeUnread(key)
  const found = readDocument(document, NO_METADATA_RULES, settings.access, isUnread).diagnostics
  const news = found.filter((finding) => models.isNews(finding))
  return inOrder([...diagnostics, ...locateDiagnostics(news, models)])
}
