import { BOUNDARY_RULES } from './clean-boundaries.ts'
import { IDENTITY_RULES } from './clean-identities.ts'
import { OPTION_RULES } from './clean-options.ts'
import { TEXT_RULES } from './clean-texts.ts'
import type { Rule } from './clean-rule.ts'
import type { CorpusDocument } from './document.ts'

export interface Cleaned {
  readonly document: CorpusDocument
  /** How much each rule touched; every rule is listed, also with 0. */
  readonly fixes: { readonly [rule: string]: number }
}

// Texts first: trimming may make two option keys or two aliases the same. Identities last.
const RULES: { readonly [name: string]: Rule } = {
  ...TEXT_RULES,
  ...OPTION_RULES,
  ...BOUNDARY_RULES,
  ...IDENTITY_RULES,
}

export function cleanDocument(raw: CorpusDocument): Cleaned {
  const document = structuredClone(raw)
  const fixes = Object.fromEntries(Object.entries(RULES).map(([name, rule]) => [name, rule(document)]))
  return { document, fixes }
}
