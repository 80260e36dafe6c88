import type { Statement } from './statement.ts'

/** The part of docs/specification.md that follows from the table. */
export function deviationsPage(statements: readonly Statement[]): string {
  const deviating = statements.filter(({ deviates }) => deviates !== undefined)
  const sections = Map.groupBy(statements, ({ section }) => section).size
  const counts = `${statements.length} statements in ${sections} sections: ${statements.length - deviating.length} hold, and ${deviating.length} do not:`
  const rows = deviating.map(({ section, says, deviates }) => `- Section ${section}, “${says}”. ${deviates}`)
  return [counts, '', ...rows].join('\n')
}
