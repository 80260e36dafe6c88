// Comments, and texts in all of their forms, within which a semicolon ends nothing. PostgreSQL manual, 4.1 (SQL Syntax).
const PART = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[\s\S]*?\1|;|\s+|[^-/'"$;\s]+|./gy

const IS_SPACE = /^(?:\s|--|\/\*)/

/**
 * Splits the text of a script into its statements, without what stands between them: Citus takes one definition at a time.
 * Scripts are ours, so texts of the form E'\'' and comments within comments are not looked for.
 */
export function splitStatements(script: string): string[] {
  const statements: string[] = []
  let statement = ''
  for (const [part] of script.matchAll(PART)) {
    if (part === ';') {
      statements.push(statement.trimEnd())
      statement = ''
    } else if (statement !== '' || !IS_SPACE.test(part)) statement += part
  }
  if (statement !== '') statements.push(statement.trimEnd())
  return statements.filter((text) => text !== '')
}
