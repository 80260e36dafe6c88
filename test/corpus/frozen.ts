import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import type { CorpusDocument } from './document.ts'

/** Data models of about 600 real devices. `data/README.md` says where they come from. */
export interface Corpus {
  /** The current release as a converter in a hurry writes it, with NUL characters, repeated codes and empty keys. */
  readonly raw: CorpusDocument
  /** An older release, without mistakes. */
  readonly previous: CorpusDocument
  /** The current release, without mistakes. */
  readonly current: CorpusDocument
}

/** Reads the frozen documents. Each call returns new objects. */
export function readCorpus(): Corpus {
  const packed = readFileSync(new URL('data/documents.json.br', import.meta.url))
  return JSON.parse(brotliDecompressSync(packed).toString()) as Corpus
}
