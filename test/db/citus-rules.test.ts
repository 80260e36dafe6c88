import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

// Citus runs these words, but the result is wrong there. It refuses everything else that it cannot run, which
// `npm run statements -- --replay URL` shows (docs/decisions/0082).

const ROOT = new URL('../../', import.meta.url).pathname
const FILES = globSync('src/{store,db}/**/*.{ts,sql}', { cwd: ROOT })

const RULES = [
  {
    words: /\bset_config\s*\(/,
    reason: 'the other machines do not get the setting',
    allowed: [
      // Functions that run whole on the machine of the domain.
      'src/db/migrations/0007-bearers.sql',
      'src/db/migrations/0018-rules-that-let-in.sql',
      // A setting that only the coordinator compares.
      'src/db/database-identity.ts',
    ],
  },
  {
    words: /\b(?:xid8|pg_current_snapshot|pg_current_xact_id|pg_visible_in_snapshot|pg_snapshot_\w+|txid_\w+)\b/,
    reason: 'each machine numbers its own transactions',
    allowed: [],
  },
]

it.each(RULES)('no statement has $words: $reason', ({ words, allowed }) => {
  const found = FILES.filter((file) => words.test(withoutComments(readFileSync(`${ROOT}${file}`, 'utf8'))))
  expect(found.toSorted()).toStrictEqual(allowed.toSorted())
})

function withoutComments(text: string): string {
  return text.replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, ' ')
}
