import type { CorpusDocument } from './document.ts'

/** Repairs one kind of dirt in place and says in how many places it was found. */
export type Rule = (draft: CorpusDocument) => number
