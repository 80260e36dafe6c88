/**
 * The lines of a comment as far as they are neither in a fenced block nor in a code span or its link. Throws where a block or a
 * span is not closed: then GitHub would read on as markdown.
 */
export function outsideCode(markdown: string): string[] {
  const prose: string[] = []
  let open: string | null = null
  for (const line of markdown.split('\n')) {
    const [, ticks = ''] = /^ {0,3}(`{3,})[^`]*$/.exec(line) ?? []
    if (open !== null) open = closes(line, open) ? null : open
    else if (ticks !== '') open = ticks
    else prose.push(withoutSpans(line))
  }
  if (open !== null) throw new Error(`a block that ${open} opens is not closed`)
  return prose
}

function closes(line: string, open: string): boolean {
  const run = line.trim()
  return /^ {0,3}`+ *$/.test(line) && run.length >= open.length
}

function withoutSpans(line: string): string {
  const prose = line.replace(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, '')
  if (prose.includes('`')) throw new Error(`a code span is not closed: ${line}`)
  return prose.replace(/\[\]\(https:[^\s()<>]*\)/g, '')
}
