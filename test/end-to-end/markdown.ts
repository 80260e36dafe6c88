// What stands in a document: its fenced blocks, links, headings and sentences.

export interface Block {
  readonly language: string
  /** The word behind the language: `not-run` says that no test runs it, a path in which file a reader saves it. */
  readonly note: string
  readonly text: string
}

const FENCE = /^```(\w*)(?: ([\w./-]+))?\n([^]*?)^```$/gm

export function allBlocks(markdown: string): Block[] {
  return [...markdown.matchAll(FENCE)].map(([, language = '', note = '', text = '']) => ({ language, note, text }))
}

/** The fenced blocks of a language. */
export function blocks(markdown: string, language: string): string[] {
  return allBlocks(markdown).flatMap((block) => (block.language === language ? [block.text] : []))
}

/** Without fenced blocks, which have neither links nor headings. */
export function proseOf(markdown: string): string {
  return markdown.replaceAll(FENCE, '')
}

/** What stands below a heading, down to the next one that is not below it. */
export function section(markdown: string, heading: string): string {
  const lines = markdown.split('\n')
  const start = lines.findIndex((line) => line.startsWith('#') && line.replace(/^#+ /, '') === heading)
  const level = lines[start]?.indexOf(' ')
  if (level === undefined) throw new Error(`there is no heading "${heading}"`)
  let isFenced = false
  const length = lines.slice(start + 1).findIndex((line) => {
    if (line.startsWith('```')) isFenced = !isFenced
    return !isFenced && /^#+ /.test(line) && line.indexOf(' ') <= level
  })
  return lines.slice(start + 1, length < 0 ? undefined : start + 1 + length).join('\n')
}

/** Where links and pictures lead. */
export function targetsOf(markdown: string): string[] {
  const prose = proseOf(markdown).replaceAll(/`[^`]*`/g, '``')
  return [...prose.matchAll(/\]\(([^)\s]+)(?: "[^"]*")?\)/g)].map(([, target = '']) => target)
}

/** Targets of `![…](…)` and `<picture>`. */
export function picturesOf(markdown: string): string[] {
  const shown = /!\[[^\]]*\]\((?!https?:)([^)\s]+)\)|\bsrc(?:set)?="(\.[^"]+)"/g
  return [...proseOf(markdown).matchAll(shown)].map(([, target, source]) => target ?? source ?? '')
}

/** Of every heading, as GitHub and the site make them. */
export function anchorsOf(markdown: string): string[] {
  const seen = new Map<string, number>()
  return [...proseOf(markdown).matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) => {
    const anchor = anchorOf(title)
    const times = seen.get(anchor) ?? 0
    seen.set(anchor, times + 1)
    return times === 0 ? anchor : `${anchor}-${times}`
  })
}

function anchorOf(title: string): string {
  const text = title.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
  return text.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-')
}

/** Sentences of paragraphs and lists, and rows of tables, each on one line. */
export function sentencesOf(markdown: string): string[] {
  const parts = proseOf(markdown).split(/\n{2,}|\n(?=[-*|#]|\d+\. )/)
  return parts
    .map((part) =>
      part
        .replaceAll(/\s+/g, ' ')
        .replace(/^(?:[-*] |\d+\. )/, '')
        .trim(),
    )
    .flatMap((part) => part.split(/(?<=[.:;]) (?=[A-Z`[_*])/))
}

/** The words in backticks of some cells. */
export function codes(cells: readonly string[]): string[] {
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code ?? ''))
}
