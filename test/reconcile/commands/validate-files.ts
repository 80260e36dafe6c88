import type { Diagnostic } from '../../../src/lib/diagnostic.ts'
import { holdfast } from '../run-command.ts'
import { workspace, type Files } from '../workspace.ts'

/** Runs `validate` on files: its findings, as lines of `file:line:column code` and as they are, and its text. */
export async function validate(files: Files) {
  const cwd = workspace(files)
  const json = await holdfast('validate --format json', { cwd })
  const { diagnostics } = JSON.parse(json.stdout) as { diagnostics: readonly Diagnostic[] }
  const lines = diagnostics.map(({ file, line, column, code }) => `${file}:${line}:${column} ${code}`)
  return { lines, diagnostics, text: (await holdfast('validate', { cwd })).stdout, cwd }
}
