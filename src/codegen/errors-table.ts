import { entriesOf } from '../lib/entries.ts'
import { ERROR_KINDS, ERRORS_PATH, type ErrorKind } from '../server/requests/error-kinds.ts'
import type { Emitter } from './emitter.ts'

export const errorsTable: Emitter = { path: 'generated/errors.md', emit }

const HEAD = `<!-- Generated from src/server/requests/error-kinds.ts by "npm run types". Do not edit. -->

# Errors

Each error has one of these codes: \`code\` in an answer of REST, \`extensions.code\` in one of GraphQL. The \`type\` of a REST answer is
\`${ERRORS_PATH}#CODE\`. The platform itself serves that page, without a token.
`

async function emit(): Promise<string> {
  return [HEAD, ...entriesOf(ERROR_KINDS).map(([code, kind]) => section(code, kind))].join('\n')
}

function section(code: string, { status, title, others = {}, meaning, remedy }: ErrorKind): string {
  const cases = Object.entries(others).map(([other, when]) => `- HTTP ${other}: ${when}\n`)
  const list = cases.length > 0 ? ['', ...cases].join('\n').replaceAll('\n\n-', '\n-') : ''
  return `## ${code}\n\n${title}, HTTP ${status}. ${meaning} ${remedy}\n${list}`
}
